// The terminal notices, shows and repairs frames that were changed or lost in transit.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, test } from '../support/browser/browser-tests.ts'
import { desktop, order, TradingDesk, tab } from '../support/browser/trading-desk.ts'

let desk: TradingDesk
before(async () => {
  desk = await TradingDesk.open()
})
after(() => desk?.close())

type Change = (frame: Record<string, unknown>) => Record<string, unknown> | null

/** A visitor whose book frames from the exchange pass through `now`. */
async function tamperedVisit() {
  const way: { now: Change } = { now: (frame) => frame }
  const page = await desk.visit(desktop, (fresh) =>
    fresh.routeWebSocket(/\/ws/, (socket) => {
      const server = socket.connectToServer()
      server.onMessage((message) => {
        const frame = JSON.parse(String(message)) as { channel?: string; data?: unknown }
        const { data } = frame
        if (frame.channel !== 'book_delta' || typeof data !== 'object') return socket.send(message)
        const changed = way.now(data as Record<string, unknown>)
        if (changed !== null) socket.send(JSON.stringify({ ...frame, data: changed }))
      })
    }),
  )
  return { page, way }
}

const bids = (page: Page) => page.getByRole('region', { name: 'Bids' })

const rest = (price: number, amount: string) =>
  desk.maker.createOrder({
    symbol: 'BTC',
    side: 'bid',
    price: String(price),
    amount,
    tif: 'ALO',
    reduce_only: false,
  })

test('a book with a wrong checksum is greyed out and requested again', async () => {
  const { page, way } = await tamperedVisit()
  await bids(page).getByText('99,990').waitFor()
  const book = page.getByRole('region', { name: 'Order book' })
  // Until it is let through, every book frame has a wrong amount.
  let spoilt = 0
  way.now = (data) => {
    spoilt += 1
    const [, asks] = data.l as [unknown, unknown]
    return { ...data, l: [[{ p: '99991', a: '7.77', n: 1 }], asks] }
  }
  await rest(99_985, '0.5')
  await book.getByText('repairing…').waitFor()
  await page.locator('section.stale[aria-label="Order book"]').waitFor()
  assert.equal(await bids(page).getByText('99,991').count(), 0, 'a wrong level is never shown')
  way.now = (data) => data
  await bids(page).getByText('99,985').waitFor()
  await page.getByText('1 gap of the book repaired').waitFor()
  await book.getByText('repairing…').waitFor({ state: 'detached' })
  assert.ok(spoilt >= 1)
})

test('a missing change of the book is noticed at the next one', async () => {
  const { page, way } = await tamperedVisit()
  await bids(page).getByText('99,990').waitFor()
  const lost = new Promise<void>((resolve) => {
    way.now = (data) => {
      if (data.prev === null) return data
      way.now = (next) => next
      resolve()
      return null
    }
  })
  await rest(99_978, '0.31')
  await lost
  await rest(99_979, '0.32')
  await page.getByText('1 gap of the book repaired').waitFor()
  await bids(page).getByText('99,978').waitFor()
  await bids(page).getByText('99,979').waitFor()
})

test('a notice plays a sound only if that is enabled', async () => {
  const page = await desk.visit(desktop, (fresh) =>
    fresh.addInitScript(`
      window.tones = []
      const start = OscillatorNode.prototype.start
      OscillatorNode.prototype.start = function (...at) {
        window.tones.push(this.frequency.value)
        return start.apply(this, at)
      }
    `),
  )
  const tones = () => page.evaluate('window.tones') as Promise<readonly number[]>
  await order(page, 'Market', { Size: '0.01' })
  await page.getByText('Open long BTC').waitFor()
  assert.deepEqual(await tones(), [])
  await page.locator('body').press('Escape')
  await page.keyboard.press(',')
  await page.getByLabel(/sound/i).check()
  await page.keyboard.press('Escape')
  await order(page, 'Market', { Size: '0.01' }, 'Sell / Short')
  await page.getByText('Close long BTC').waitFor()
  const played = await tones()
  assert.ok(played.length >= 1 && played.every((tone) => tone > 100), JSON.stringify(played))
})

test('an account that only its owner may read is shown to its owner', async (t) => {
  const owners = await TradingDesk.open(['--reads', 'owner'])
  t.after(() => owners.close())
  const page = await owners.arrive()
  // The page has the key, and signs its reads.
  await page.locator('.account-facts').waitFor()
  await order(page, 'Market', { Size: '0.01' })
  await page.getByRole('table', { name: 'Positions' }).getByText('long').waitFor()
  await tab(page, /Fills/).click()
  await page.getByRole('row', { name: /BTC Open long/ }).waitFor()
  await page.reload()
  await page.locator('.account-facts').waitFor()
})
