import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { after, before, test } from '../support/browser/browser-tests.ts'
import { buyNearlyAll, drawn, order, TradingDesk, tab } from '../support/browser/trading-desk.ts'
import { steadyPorts } from '../support/http/steady-ports.ts'
import { ChildExchange } from '../support/running/child-exchange.ts'

let desk: TradingDesk
before(async () => {
  desk = await TradingDesk.open()
})
after(() => desk?.close())

const levelsButton = (page: Page) =>
  page.getByRole('button', { name: 'Take profit and stop loss of BTC' })

/** A long position with a take profit. It includes a sale below the mark, so that the chart extends
 *  down to prices that the take profit has already reached. */
async function protectedLong(page: Page, takeProfit: number): Promise<void> {
  await order(page, 'Market', { Size: '0.06' })
  await order(page, 'Market', { Size: '0.01' }, 'Sell / Short')
  await page.getByText('Close long BTC').waitFor()
  await levelsButton(page).click()
  await page.getByLabel('Take profit at mark').fill(String(takeProfit))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await levelsButton(page).getByText(new Intl.NumberFormat('en').format(takeProfit)).waitFor()
}

type Box = Readonly<{ x: number; y: number; height: number }>

/** Position of a line once the chart has moved to its new range, which takes some frames. */
const standingStill = (page: Page, line: string) =>
  page.evaluate(`new Promise((found) => {
    let still = 0
    let last = Number.NaN
    const look = () => {
      const tag = document.querySelector('[data-line=${line}] .line-label > span')
      const { x, y, height } = tag.getBoundingClientRect()
      still = y === last ? still + 1 : 0
      last = y
      if (still === 10) found({ x, y, height })
      else requestAnimationFrame(look)
    }
    look()
  })`) as Promise<Box>

/** Drags the tag of a line by the given number of pixels. */
async function drag(page: Page, line: string, pixels: number): Promise<void> {
  await page.locator(`[data-line=${line}] .line-label > span`).waitFor()
  const box = await standingStill(page, line)
  const at = { x: box.x + 12, y: box.y + box.height / 2 }
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  await page.mouse.move(at.x, at.y + pixels / 2)
  await page.locator('.line-tag.moved').waitFor()
  await page.mouse.move(at.x, at.y + pixels)
  // At the nearest tick, which may be some pixels away.
  await page.waitForFunction(`(() => {
    const label = document.querySelector('[data-line=${line}] .line-label > span')
    const { y } = label.getBoundingClientRect()
    return Math.abs(y - ${box.y + pixels}) < 30
  })()`)
  await page.mouse.up()
}

/** Presses a label and releases it the given distance below: nothing happens. */
async function slip(page: Page, line: string, pixels: number): Promise<void> {
  const box = await standingStill(page, line)
  const at = { x: box.x + 12, y: box.y + box.height / 2 }
  const price = () => page.locator(`[data-line=${line}]`).getAttribute('data-price')
  const before = await price()
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  await page.mouse.move(at.x + 200, at.y + pixels, { steps: 4 })
  await drawn(page)
  assert.equal(await page.locator('.line-tag.moved').count(), 0)
  await page.mouse.up()
  await drawn(page)
  assert.equal(await price(), before)
}

test('a take profit is moved by dragging its line, which shows the new values', async () => {
  const page = await desk.visit()
  await protectedLong(page, 100_012)
  const line = '[data-line=take_profit-BTC]'
  const tag = page.locator(line)
  await tag.getByText(/TP 100,012 \+0\.10 USD/).waitFor()
  await drag(page, 'take_profit-BTC', 60)
  await page.locator(`${line}:not([data-price="100012"]):not(.moved)`).waitFor()
  const moved = Number((await tag.getAttribute('data-price')) ?? 0)
  assert.ok(moved < 100_012 && moved > 100_000, `moved to ${moved}`)
  await levelsButton(page).getByText(new Intl.NumberFormat('en').format(moved)).waitFor()
})

test('a label at the edge of the chart cannot be dragged, and a slip moves no line', async () => {
  const page = await desk.visit()
  await protectedLong(page, 103_000)
  const edge = page.locator('[data-line=take_profit-BTC].above .line-label')
  assert.match((await edge.getAttribute('title')) ?? '', /^Beyond the scale of the chart/)
  await slip(page, 'take_profit-BTC', 80)
  await page.getByText(/TP 103,000/).waitFor()
  await levelsButton(page).click()
  await page.getByLabel('Take profit at mark').fill('100012')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('[data-line=take_profit-BTC]:not(.beyond)').getByText('TP 100,012').waitFor()
  await slip(page, 'take_profit-BTC', 3)
})

test('a line at an invalid price goes back with the reason', async () => {
  const page = await desk.visit()
  await protectedLong(page, 100_200)
  const tag = page.locator('[data-line=take_profit-BTC] .line-label > span')
  await tag.focus()
  // Under the mark, where a take profit is already reached.
  for (let press = 0; press < 21; press++) await page.keyboard.press('Shift+ArrowDown')
  await page.getByText(/TP 99,990 -1\.00 USD/).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('TP/SL refused').waitFor()
  await page.getByText(/TP 100,200 \+9\.50 USD/).waitFor()
  await page.getByRole('button', { name: 'Why' }).click()
  await page
    .getByRole('dialog')
    .getByText(/INVALID_STOP_TICK/)
    .first()
    .waitFor()
})

test('so does a line dragged to an invalid price', async () => {
  const page = await desk.visit()
  await protectedLong(page, 100_012)
  const tag = page.locator('[data-line=take_profit-BTC]')
  await drag(page, 'take_profit-BTC', 260)
  await page.getByText('TP/SL refused').waitFor()
  await tag.getByText(/TP 100,012 \+0\.10 USD/).waitFor()
  await levelsButton(page).getByText('100,012').waitFor()
})

test('an order is moved by its line', async () => {
  const page = await desk.visit()
  await order(page, 'Limit', { Price: '99500', Size: '0.1' })
  await tab(page, /Orders \(1\)/).click()
  const line = page.locator('.line-tag.tag-up .line-label > span')
  await line.focus()
  await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /Buy Limit 99,510 0\.1/ }).waitFor()
})

test('a stop is moved by its line: the new one is placed before the old one ends', async () => {
  const page = await desk.visit()
  await order(page, 'Stop', { 'Trigger at mark': '100100', Size: '0.02' })
  await tab(page, /Stops & algos \(1\)/).click()
  const line = page.locator('[data-line^=stop-] .line-label > span')
  await line.focus()
  await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /Buy Stop market ≥ 100,110/ }).waitFor()
  await tab(page, /Stops & algos \(1\)/).waitFor()
  // At the mark it would be reached already: it is rejected, and the old one stays.
  await line.focus()
  for (let press = 0; press < 12; press++) await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText('Stop refused').waitFor()
  await page.getByRole('row', { name: /Buy Stop market ≥ 100,110/ }).waitFor()
})

test('margin is added to an isolated position and removed', async () => {
  const page = await desk.visit()
  await page.keyboard.press('l')
  await page.getByRole('radio', { name: 'Isolated' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await order(page, 'Market', { Size: '0.05' })
  const margin = page.getByRole('button', { name: 'Margin of BTC' })
  const before = Number((await margin.innerText()).replaceAll(',', ''))
  const change = async (way: 'Add' | 'Remove', amount: string, expected: number) => {
    await margin.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: way }).click()
    await dialog.getByLabel('USD').fill(amount)
    await page.keyboard.press('Enter')
    await margin.getByText(expected.toLocaleString('en', { minimumFractionDigits: 2 })).waitFor()
  }
  await change('Add', '100', before + 100)
  await change('Remove', '40', before + 60)
})

test('positions are closed at a limit, reversed, and closed', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.05' })
  const row = page.getByRole('table', { name: 'Positions' }).getByRole('row')
  await row.getByText('long').waitFor()
  await row.getByRole('button', { name: 'Reverse' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reverse' }).click()
  await row.getByText('short').waitFor()
  assert.match(await row.nth(1).innerText(), /0\.05/)
  await row.getByRole('button', { name: 'Limit' }).click()
  await page.getByLabel('Price', { exact: true }).last().fill('99000')
  await page.getByRole('button', { name: 'Send' }).click()
  await tab(page, /Orders \(1\)/).waitFor()
  await row.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByText('No open positions').waitFor()
  await tab(page, /^Orders$/).waitFor()
})

test('a liquidation: the price falls, and the account sees the reason', async () => {
  const page = await desk.visit()
  await buyNearlyAll(page)
  await page.getByRole('button', { name: 'Sandbox' }).click()
  const panel = page.getByRole('complementary', { name: 'Sandbox' })
  await panel.getByLabel('Index price of BTC').fill('97000')
  await panel.getByRole('button', { name: 'Set' }).click()
  const notice = page.getByRole('status').filter({ hasText: /liquidation/i })
  await notice.first().waitFor()
  await notice.getByText(/^The liquidation closed long .* Total loss -[0-9,.]+ USD/).waitFor()
  assert.equal(await notice.count(), 1, 'one notice for the whole liquidation')
  await panel.getByRole('button', { name: 'Close' }).click()
  await notice.getByRole('button', { name: 'Why' }).first().click()
  const story = page.getByRole('dialog', { name: 'Liquidation' })
  await story.getByText(/^MARGIN-1 maintenance = /).waitFor()
  await story.getByText('= what history recorded').first().waitFor()
  const text = (await page.evaluate('document.querySelector(".why .table").innerText')) as string
  assert.match(text, /LIQ-/)
  await desk.setIndex(100_000)
  // It was watched, so it is not announced as missed.
  await page.reload()
  await tab(page, /Fills/).click()
  await page
    .getByRole('row', { name: /Close long/ })
    .first()
    .waitFor()
  assert.equal(await page.getByText(/while you were away/).count(), 0)
})

test('funding is paid when the clock passes the hour, and explained', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.1' })
  await page.getByRole('table', { name: 'Positions' }).getByText('long').waitFor()
  await page.getByRole('button', { name: 'Sandbox' }).click()
  // For an hour observed in part nothing may be paid; for a whole one there is a payment.
  await page.getByRole('button', { name: '+ 1 hour' }).click()
  await page.getByRole('button', { name: '+ 1 hour' }).click()
  await page
    .getByText(/Funding (paid|received), BTC/)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await tab(page, /Funding/).click()
  await page
    .getByRole('table', { name: 'Funding' })
    .getByRole('button', { name: 'Why' })
    .first()
    .click()
  const story = page.getByRole('dialog', { name: /^Funding/ })
  await story
    .getByText(/^FUND-/)
    .first()
    .waitFor()
})

test('after a restart of the exchange the terminal reconnects without loss', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-restart-'))
  const [port] = await steadyPorts(1)
  const flags = ['--bots', 'off', '--port', String(port)]
  const first = new ChildExchange(folder, flags)
  let running = first
  let away: TradingDesk | null = null
  t.after(async () => {
    await away?.close()
    running.kill('SIGKILL')
    await running.ended
    rmSync(folder, { recursive: true, force: true })
  })
  await first.ready
  away = await TradingDesk.at(`http://127.0.0.1:${port}`)
  const page = await away.visit()
  await order(page, 'Limit', { Price: '99995', Size: '0.2' })
  await tab(page, /Orders \(1\)/).waitFor()
  first.kill('SIGKILL')
  await first.ended
  await page.getByText('Reconnecting').waitFor()
  await page.locator('.book-middle').waitFor()
  assert.ok((await page.locator('.stale').count()) > 0, 'stale numbers are marked')
  running = new ChildExchange(folder, flags)
  await running.ready
  // Before the page has reconnected, or just after: the fill must be shown either way.
  await away.setIndex(100_000)
  await away.maker.createOrder({
    symbol: 'BTC',
    side: 'ask',
    price: '99995',
    amount: '0.2',
    tif: 'GTC',
    reduce_only: false,
  })
  await page.getByText('Live', { exact: false }).first().waitFor()
  await page.getByText('Open long BTC').waitFor()
  await page.getByRole('table', { name: 'Positions' }).getByText('long').waitFor()
  await tab(page, /^Orders$/).waitFor()
  await page.locator('.stale').first().waitFor({ state: 'detached' })
})
