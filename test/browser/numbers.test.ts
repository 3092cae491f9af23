// Details that traders act on are those of the right account, in the right place on every
// screen, and a page that could not load them says so.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { Client } from '../../src/client/client.ts'
import { keyOfSecret } from '../../src/client/key.ts'
import { after, before, test } from '../support/browser/browser-tests.ts'
import {
  buyNearlyAll,
  chooseKind,
  desktop,
  drawn,
  index,
  order,
  phone,
  TradingDesk,
  tab,
  ticket,
} from '../support/browser/trading-desk.ts'
import { openperp } from '../support/cli/run-openperp.ts'

let desk: TradingDesk
before(async () => {
  desk = await TradingDesk.open()
})
after(() => desk?.close())

/** Compares the open explanation with REST and the command line; only the layout differs. */
async function requireSameText(page: Page, what: 'order' | 'fill' | 'liquidation', id: string) {
  await page.locator('.dialog .why').waitFor()
  const shown = await page.evaluate(
    `[...document.querySelectorAll('.dialog h2, .why > *')].map((part) => {
      const copy = part.cloneNode(true)
      for (const head of copy.querySelectorAll('thead')) head.remove()
      return copy.textContent
    }).join('')`,
  )
  const secret = String(await page.evaluate("localStorage.getItem('openperp.key')"))
  const { out } = await openperp(['explain', what, id, '--url', desk.url, '--key', secret])
  const bare = (text: unknown) => String(text).replaceAll(/\s/g, '')
  assert.ok(out.length > 100, out)
  assert.equal(bare(shown), bare(out))
  const client = new Client({ url: desk.url, signer: keyOfSecret(secret) })
  const { title, facts, happened, pending, steps } = await {
    order: () => client.explainOrder({ order_id: Number(id) }),
    fill: () => client.explainFill({ history_id: Number(id) }),
    liquidation: () => client.explainLiquidation({ seq: id }),
  }[what]()
  const texts = [
    ...[title, ...Object.entries(facts).flat()],
    ...happened.flatMap((line) => [line.time, line.what, line.rule]),
    ...pending.flatMap((line) => [line.what, line.rule]),
    ...steps.flatMap(({ rule, formula, inputs, result }) => [
      ...[rule, formula, result],
      ...Object.entries(inputs).flat(),
    ]),
  ]
  for (const text of texts)
    if (text !== null) assert.ok(bare(shown).includes(bare(text)), `${text} is not in ${shown}`)
}

/** A number of the account box by its name. */
const accountNumber = (page: Page, name: string) =>
  page.locator('.account-box dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd')

test('the margin of an isolated position is not counted as profit', async () => {
  const page = await desk.visit()
  await page.keyboard.press('l')
  await page.getByRole('dialog').getByRole('radio', { name: 'Isolated' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await order(page, 'Market', { Size: '0.5' })
  await accountNumber(page, 'Isolated margin').waitFor()
  // Bought at 100,010, and the mark is 100,000.
  await accountNumber(page, 'Unrealised profit').getByText('-5.00 USD').waitFor()
  await page.locator('.account-box .gauge').getByText('0.0%').waitFor()
})

const hour = 3_600_000

/** Hourly candles through a change of daylight saving time, at rising and falling prices. */
function hoursFrom(start: number) {
  return Array.from({ length: 60 }, (_, at) => {
    const [o, c] = at % 2 === 0 ? ['100000', '100200'] : ['100200', '100000']
    const t = start + at * hour
    const times = { t, T: t + hour, s: 'BTC', i: '1h' }
    return { ...times, o, c, h: '100300', l: '99900', v: '1', n: 1 }
  })
}

/** Until the chart has candles: enough pixels have the colour of a rising one. */
const candlesDrawn = (page: Page) =>
  page.waitForFunction(`(() => {
    const wanted = getComputedStyle(document.documentElement).getPropertyValue('--up').trim()
    const probe = document.createElement('canvas').getContext('2d')
    probe.fillStyle = wanted
    probe.fillRect(0, 0, 1, 1)
    const [r, g, b] = probe.getImageData(0, 0, 1, 1).data
    let found = 0
    for (const canvas of document.querySelectorAll('.chart-canvas canvas')) {
      if (canvas.width === 0 || canvas.height === 0) continue
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      for (let at = 0; at < data.length; at += 4)
        if (data[at] === r && data[at + 1] === g && data[at + 2] === b && data[at + 3] === 255)
          found += 1
    }
    return found >= 500
  })()`)

test('candles are drawn through the hour that autumn repeats', async () => {
  const rows = hoursFrom(Date.UTC(2026, 9, 31, 12))
  const page = await desk.visit(desktop, async (fresh) => {
    const session = await fresh.context().newCDPSession(fresh)
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' })
    await fresh.route(/\/kline\?.*interval=1h/, async (route) => {
      const reply = await route.fetch()
      const end = Number(new URL(route.request().url()).searchParams.get('end_time'))
      const data = end > rows[0]!.t ? rows : []
      await route.fulfill({ response: reply, json: { ...(await reply.json()), data } })
    })
  })
  assert.equal(await page.evaluate('new Date(Date.UTC(2026, 10, 1)).getHours()'), 20)
  const response = page.waitForResponse(/\/kline\?.*interval=1h/)
  await page.getByRole('radio', { name: '1h', exact: true }).click()
  await response
  await candlesDrawn(page)
  assert.deepEqual(desk.complaints, [])
})

test('a history that could not be read says so, and is requested again', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.01' })
  await page.getByRole('table', { name: 'Positions' }).getByText('long').waitFor()
  await page.route(/\/trades\/history\?/, (route) => route.abort())
  await tab(page, /Fills/).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Fills could not be read' })
  await alert.waitFor()
  await page.unroute(/\/trades\/history\?/)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('row', { name: /BTC Open long/ }).waitFor()
  await alert.waitFor({ state: 'detached' })
  await page.route(/\/explain\/order\//, (route) => route.abort())
  await tab(page, /Order history/).click()
  await page.getByRole('button', { name: 'Events' }).first().click()
  const story = page.getByRole('dialog')
  await story.getByText('The explanation could not be read').waitFor()
  await page.unroute(/\/explain\/order\//)
  // More often than the client itself asks again.
  let busy = 0
  await page.route(/\/explain\/order\//, (route) => {
    busy += 1
    if (busy > 5) return route.continue()
    const json = { error: 'NOT_READY: an explanation is being made', code: 503 }
    return route.fulfill({ status: 503, headers: { 'retry-after': '0' }, json })
  })
  await story.getByRole('button', { name: 'Try again' }).click()
  await story.getByRole('table', { name: 'What happened' }).getByText(/fill/i).first().waitFor()
})

test('a reply for the previous account is not shown', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.01' })
  await page.getByRole('table', { name: 'Positions' }).getByText('long').waitFor()
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let first = true
  await page.route(/\/trades\/history\?.*limit=100/, async (route) => {
    const wait = first
    first = false
    const response = await route.fetch()
    if (wait) await held
    await route.fulfill({ response })
  })
  const request = page.waitForRequest(/\/trades\/history\?.*limit=100/)
  await tab(page, /Fills/).click()
  await request
  await page.keyboard.press('k')
  await page.getByRole('button', { name: 'Make a new one' }).click()
  await page.getByRole('dialog', { name: 'Replace the key' }).getByRole('button').last().click()
  await page.getByText('No fills yet').waitFor()
  const answered = page.waitForResponse(/\/trades\/history\?.*limit=100/)
  release()
  await (await answered).finished()
  await drawn(page)
  assert.equal(await page.getByRole('row', { name: /Open long/ }).count(), 0)
})

const inside = async (page: Page, what: Locator) => {
  const box = await what.boundingBox()
  const { width, height } = page.viewportSize()!
  assert.ok(box !== null, 'it is not shown')
  assert.ok(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height)
  return box
}

test('urgent controls are visible on every screen', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.01' })
  const row = page.getByRole('table', { name: 'Positions' }).getByRole('row').nth(1)
  await row.getByText('long').waitFor()
  const panel = page.getByRole('region', { name: 'Account' })
  for (const width of [861, 1024, 1180, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const tools = await inside(page, page.locator('.tools'))
    for (const name of ['Equity', 'Margin ratio', 'Available']) {
      const box = await inside(page, page.locator('.account-facts').getByText(name))
      assert.ok(box.x + box.width <= tools.x, `${name} at ${width}`)
    }
    const edge = (await panel.boundingBox())!
    for (const name of ['Limit', 'Close', 'Reverse']) {
      const box = await inside(page, row.getByRole('button', { name, exact: true }))
      assert.ok(box.x + box.width <= edge.x + edge.width, `${name} at ${width}`)
    }
  }
})

test('on a phone a market is one line of the list', async () => {
  const page = await desk.visit(phone)
  await page.locator('.market-button').click()
  const rows = page.getByRole('grid', { name: 'Markets' }).getByRole('row')
  await page.getByRole('columnheader', { name: 'Price' }).waitFor()
  const { height } = await inside(page, rows.nth(1))
  assert.ok(height < 50, `a row is ${height} pixels high`)
})

test('a market selected by keyboard stays selected when rows change places', async () => {
  const page = await desk.visit()
  await page.keyboard.press('m')
  const field = page.getByRole('combobox', { name: 'Search markets' })
  const rows = page.getByRole('grid', { name: 'Markets' }).getByRole('row')
  const last = await rows.last().getAttribute('id')
  for (let press = await rows.count(); press > 0; press--) await field.press('ArrowDown')
  assert.equal(await field.getAttribute('aria-activedescendant'), last)
  // A favourite is first: every row after it has another place.
  await rows
    .last()
    .getByRole('button', { name: /favourite/ })
    .click()
  await field.focus()
  await page.waitForFunction(`document.querySelector('#market-rows tbody tr').id === '${last}'`)
  assert.equal(await field.getAttribute('aria-activedescendant'), last)
  await field.press('Enter')
  await page.locator('.market-button').getByText(last!.replace('market-', '')).waitFor()
})

test('the slider uses the typed price; slippage is kept once it was used', async () => {
  const page = await desk.visit()
  const form = ticket(page)
  const price = form.getByLabel('Price', { exact: true })
  const slider = form.getByRole('slider', { name: /Percentage/ })
  // Half of the mark: twice as much as a market order could.
  await price.fill('50000')
  await slider.fill('100')
  await page
    .locator('.figures dd', { hasText: /^[1-9][0-9,.]* USD$/ })
    .first()
    .waitFor()
  assert.equal(await slider.inputValue(), '100')
  await chooseKind(page, 'Market')
  const worst = form.getByLabel('Max slippage')
  const begun = async () => {
    await page.reload()
    await chooseKind(page, 'Market')
    return worst.inputValue()
  }
  await worst.fill('500')
  assert.equal(await begun(), '1')
  await order(page, 'Market', { 'Max slippage': '2', Size: '0.01' })
  await page.getByText('Open long BTC').waitFor()
  assert.equal(await begun(), '2')
  // A TWAP has its own.
  await chooseKind(page, 'TWAP')
  assert.equal(await worst.inputValue(), '1')
  await worst.fill('0.4')
  await chooseKind(page, 'Market')
  assert.equal(await worst.inputValue(), '2')
})

test('a fee below a cent is not shown as zero', async () => {
  const page = await desk.visit()
  await page.getByRole('radio', { name: 'Market', exact: true }).click()
  await page.getByLabel('Size', { exact: true }).fill('0.0001')
  const fee = page.locator('.figures dt', { hasText: 'Max fee' }).locator('+ dd')
  await fee.getByText(/^0\.00[1-9]\d USD$/).waitFor()
})

test('a liquidation from before this visit is explained with its numbers', async () => {
  const page = await desk.visit()
  await buyNearlyAll(page)
  await page.getByTitle('Explain the position in BTC').click()
  const position = page.getByRole('dialog', { name: /^Position on BTC: long/ })
  await position
    .getByText(/^MARGIN-2 /)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await desk.setIndex(97_000)
  await page
    .getByRole('status')
    .filter({ hasText: /liquidation/i })
    .first()
    .waitFor()
  await desk.setIndex(index)
  await page.reload()
  await page.locator('.account-facts').waitFor()
  await tab(page, /Fills/).click()
  await page.getByRole('button', { name: 'Why' }).first().click()
  const fill = await page.getByRole('heading', { name: /^Fill \d+ on BTC/ }).innerText()
  await requireSameText(page, 'fill', /\d+/.exec(fill)![0])
  await page.getByRole('button', { name: 'Latest liquidation' }).click()
  const story = page.getByRole('dialog', { name: 'Liquidation' })
  await story.getByText(/^MARGIN-3 equity = /).waitFor()
  await story.getByText(/^MARGIN-1 maintenance = /).waitFor()
  await requireSameText(page, 'liquidation', 'latest')
  await page.keyboard.press('Escape')
  await tab(page, /Order history/).click()
  await page.getByRole('button', { name: 'Events' }).last().click()
  const placed = await page.getByRole('heading', { name: /^Order \d+ on BTC/ }).innerText()
  await requireSameText(page, 'order', /\d+/.exec(placed)![0])
})

test('the funding chart grows when a rate is fixed while it is open', async () => {
  const page = await desk.visit()
  const answer = async () => {
    // The page itself repeats a request that the history is not ready for.
    const reply = await page.waitForResponse(
      (each) => each.ok() && /\/funding_rate\/history\?/.test(each.url()),
    )
    return ((await reply.json()) as { data: readonly unknown[] }).data.length
  }
  const first = answer()
  await page.getByRole('tablist', { name: 'Chart' }).getByRole('tab', { name: 'Funding' }).click()
  const before = await first
  const second = answer()
  await desk.maker.sandboxSetClock({ advance_ms: hour })
  assert.ok((await second) > before)
  const none = page.getByText('No funding yet: rates are fixed at every full hour')
  await none.waitFor({ state: 'detached' })
})
