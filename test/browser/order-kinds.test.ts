// The kinds of orders that professionals ask for, set up in the ticket and followed to their end.

import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { after, before, test } from '../support/browser/browser-tests.ts'
import {
  chooseKind,
  order,
  phone,
  TradingDesk,
  tab,
  ticket,
} from '../support/browser/trading-desk.ts'

let desk: TradingDesk
before(async () => {
  desk = await TradingDesk.open()
})
after(() => desk?.close())

const sentTo = (page: Page, path: RegExp): Promise<Request> => page.waitForRequest(path)
const bodyOf = (request: Request) => request.postDataJSON() as Record<string, unknown>

test('each kind says in a line what it does, on a phone too', async () => {
  const page = await desk.visit(phone)
  await page.getByRole('button', { name: 'Trade', exact: true }).click()
  const note = ticket(page).locator('.kind-note')
  for (const [kind, says] of [
    ['Stop', /^Waits until the mark/],
    ['OCO', /^Two at once, of which one happens/],
    ['Iceberg', /shows a part at a time/],
    ['Scale', /^One size spread over/],
    ['TWAP', /one every 30 seconds/],
  ] as const) {
    await chooseKind(page, kind)
    await note.filter({ hasText: says }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
  }
})

test('an OCO rests and waits; when its stop fires the order that rests ends', async () => {
  const page = await desk.visit()
  const sent = sentTo(page, /orders\/oco\/create$/)
  await order(page, 'OCO', { Price: '99500', 'Or trigger at mark': '100600', Size: '0.02' })
  const leg = { side: 'bid', amount: '0.02', reduce_only: false }
  assert.deepEqual(bodyOf(await sent).legs, [
    { ...leg, price: '99500' },
    { ...leg, stop_price: '100600' },
  ])
  await tab(page, /Orders \(1\)/).waitFor()
  await desk.setIndex(100_700)
  await page.getByText('Open long BTC').waitFor()
  await tab(page, /^Orders$/).waitFor()
  await desk.setIndex(100_000)
})

test('what is wrong with an OCO stands at its leg', async () => {
  const page = await desk.visit()
  const form = ticket(page)
  await order(page, 'OCO', { Price: '100200', 'Or trigger at mark': '100600', Size: '0.02' })
  await form
    .locator('#refusal-price')
    .getByText(/would trade with 100010 at once/)
    .waitFor()
  await form.getByLabel('What it is made of').selectOption('breakout')
  await form.getByLabel('Buy from mark').fill('100600')
  await form.getByLabel('Sell down to mark').fill('100300')
  await form.locator('button[type=submit]').click()
  await form
    .locator('#refusal-below')
    .getByText(/100300/)
    .waitFor()
})

test('an iceberg shows a part at a time, and a wrong part is said at its field', async () => {
  const page = await desk.visit()
  const form = ticket(page)
  const fields = { Price: '99991', Size: '0.05', 'Shown at a time': '0.06' }
  await order(page, 'Iceberg', fields)
  await form.locator('#refusal-display').getByText('It shows 0.0005 to 0.05').waitFor()
  await form.getByLabel('Shown at a time').fill('0.02')
  await form.locator('button[type=submit]').click()
  await tab(page, /Orders \(1\)/).click()
  await page.getByRole('row', { name: /Buy Limit.* 99,991 0\.02/ }).waitFor()
  const taker = { symbol: 'BTC', side: 'ask', reduce_only: false } as const
  await desk.maker.createOrder({ ...taker, price: '99991', amount: '0.02', tif: 'IOC' })
  await page.getByText('Open long BTC').waitFor()
  await page.getByRole('row', { name: /Buy Limit.* 99,991 0\.02/ }).waitFor()
})

test('a scale is one batch of orders whose sizes add up', async () => {
  const page = await desk.visit()
  const sent = sentTo(page, /orders\/batch$/)
  await chooseKind(page, 'Scale')
  await ticket(page).getByLabel('Sizes').selectOption('rising')
  const fields = { 'From price': '99900', 'To price': '99600', Orders: '4', Size: '0.1' }
  await order(page, 'Scale', fields)
  const { actions, signature } = bodyOf(await sent) as {
    actions: readonly { data: { price: string; amount: string } }[]
    signature: unknown
  }
  assert.ok(signature !== undefined, 'one signature for all of them')
  assert.deepEqual(
    actions.map(({ data }) => [data.price, data.amount]),
    [
      ['99900', '0.01'],
      ['99800', '0.02'],
      ['99700', '0.03'],
      ['99600', '0.04'],
    ],
  )
  await tab(page, /Orders \(4\)/).waitFor()
})
