// The numbers that people act on: that they are of the right account, in the right place on every
// screen, and that a page which could not ask says so.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { desktop, order, TradingDesk } from '../support/browser/trading-desk.ts'

let desk: TradingDesk
before(async () => {
  desk = await TradingDesk.open()
})
after(() => desk.close())

/** A number of the account box by its name. */
const accountNumber = (page: Page, name: string) =>
  page.locator('.account-box dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd')

test('the margin of an isolated position is no profit', async () => {
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

/** Candles of hours through a change of the clocks, at prices that go up and down. */
function hoursFrom(start: number) {
  return Array.from({ length: 60 }, (_, at) => {
    const [o, c] = at % 2 === 0 ? ['100000', '100200'] : ['100200', '100000']
    const t = start + at * hour
    const times = { t, T: t + hour, s: 'BTC', i: '1h' }
    return { ...times, o, c, h: '100300', l: '99900', v: '1', n: 1 }
  })
}

/** How many pixels of the chart have the colour of a rising candle. */
const drawn = (page: Page) =>
  page.evaluate(`(() => {
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
    return found
  })()`) as Promise<number>

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
  const asked = page.waitForResponse(/\/kline\?.*interval=1h/)
  await page.getByLabel('Interval').selectOption('1h')
  await asked
  let pixels = await drawn(page)
  for (let tries = 0; pixels < 500 && tries < 50; tries++) {
    await page.waitForTimeout(100)
    pixels = await drawn(page)
  }
  assert.ok(pixels >= 500, `${pixels} pixels of candles`)
  assert.deepEqual(desk.complaints, [])
})
