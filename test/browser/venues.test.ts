// Which exchange a key signs for, in the terminal.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { newKey } from '../../src/client/key.ts'
import { after, before, test } from '../support/browser/browser-tests.ts'
import { order, TradingDesk } from '../support/browser/trading-desk.ts'

let desk: TradingDesk
let venue = ''
before(async () => {
  desk = await TradingDesk.open()
  venue = (await desk.maker.getVenue()).venue
})
after(() => desk?.close())

const notice = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Notices' }).getByText(title)

const addressOf = async (page: Page): Promise<string> =>
  (await page.locator('.status .mono').getAttribute('title'))!

const pinOf = async (page: Page): Promise<unknown> => {
  const name = `openperp.venue.${await addressOf(page)}`
  return JSON.parse(String(await page.evaluate(`localStorage.getItem('${name}')`)))
}

/** As if the key had been used with another exchange before; the page is loaded again. */
async function usedElsewhere(page: Page, pin: object): Promise<void> {
  const name = `openperp.venue.${await addressOf(page)}`
  await page.evaluate(`localStorage.setItem('${name}', '${JSON.stringify(pin)}')`)
  await page.reload()
  await page.locator('.account-facts').waitFor()
}

const limit = { Price: '99000', Size: '0.01' }

async function sentOrder(page: Page): Promise<Readonly<{ venue?: string }>> {
  const sent = page.waitForRequest(/orders\/create$/)
  await order(page, 'Limit', limit)
  return (await sent).postDataJSON()
}

test('every text names the exchange, and the key is kept with it', async () => {
  const page = await desk.visit()
  assert.equal((await sentOrder(page)).venue, venue)
  assert.deepEqual(await pinOf(page), { venue, sandbox: true })
  await page.keyboard.press('Escape')
  await page.keyboard.press('k')
  await page.getByRole('dialog').getByText(venue).waitFor()
})

test('importing a key shows a warning before and after', async () => {
  const page = await desk.visit()
  await page.keyboard.press('k')
  const dialog = page.getByRole('dialog')
  const warning = /Use a key at one exchange only/
  assert.equal(await dialog.getByText(warning).count(), 0)
  await page.getByLabel('Secret key to import').fill(newKey().secret)
  await dialog.getByText(warning).waitFor()
  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByRole('button', { name: 'Replace the key' }).click()
  await notice(page, 'A key was imported').waitFor()
})

test('the key of another sandbox moves to this one, with a notice', async () => {
  const page = await desk.visit()
  await usedElsewhere(page, { venue: 'a'.repeat(32), sandbox: true })
  await notice(page, 'Another sandbox').waitFor()
  assert.equal((await sentOrder(page)).venue, venue)
  assert.deepEqual(await pinOf(page), { venue, sandbox: true })
})

test('the key of a venue signs nothing at another exchange until its owner confirms', async () => {
  const page = await desk.visit()
  const pin = { venue: 'b'.repeat(32), sandbox: false }
  await usedElsewhere(page, pin)
  await notice(page, 'This key belongs to another exchange').waitFor()
  let signed = 0
  page.on('request', (request) => {
    const body = request.postData() ?? ''
    if (body.includes('signature') || 'openperp-signed-read' in request.headers()) signed += 1
  })
  await order(page, 'Limit', limit)
  await notice(page, 'Order: not sent').waitFor()
  assert.equal(signed, 0)
  assert.deepEqual(await pinOf(page), pin)
  await page.keyboard.press('Escape')
  await page.keyboard.press('k')
  const dialog = page.getByRole('dialog')
  await dialog.getByText(pin.venue).waitFor()
  await dialog.getByRole('button', { name: 'Use the key here' }).click()
  await page.getByText(/a key that is used at two exchanges is safe at neither/).waitFor()
  await page.getByRole('button', { name: 'Use the key here' }).click()
  await dialog.getByText(venue).waitFor()
  await page.keyboard.press('Escape')
  assert.equal((await sentOrder(page)).venue, venue)
})
