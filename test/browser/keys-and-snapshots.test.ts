import assert from 'node:assert/strict'
import { text as textOf } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { newKey } from '../../src/client/key.ts'
import { after, before, test } from '../support/browser/browser-tests.ts'
import { desktop, order, TradingDesk, tab } from '../support/browser/trading-desk.ts'
import { connectPocket, installWallet } from '../support/browser/wallet.ts'

let desk: TradingDesk
before(async () => {
  desk = await TradingDesk.open()
})
after(() => desk?.close())

const addressOf = (page: Page) => page.locator('.status .mono').getAttribute('title')

test('a key is exported, removed, and imported again', async () => {
  const page = await desk.visit()
  const address = await addressOf(page)
  await page.keyboard.press('k')
  await page.getByRole('button', { name: 'Reveal secret key' }).click()
  const secret = await page.getByLabel('Secret key', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'Remove key from this browser' }).click()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByText('this browser', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove key from this browser' }).click()
  await page.getByRole('button', { name: 'Forget the key' }).click()
  await page.getByText('No key here').waitFor()
  assert.equal(await page.evaluate("localStorage.getItem('openperp.key')"), null)
  await page.getByLabel('Secret key to import').fill('not a key')
  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByText(/a secret key is the base58/).waitFor()
  await page.getByLabel('Secret key to import').fill(secret)
  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByText('this browser', { exact: true }).waitFor()
  assert.equal(await addressOf(page), address)
})

test('an agent signs the orders, and is revoked', async () => {
  const page = await desk.visit()
  await page.keyboard.press('k')
  await page.getByRole('tab', { name: 'Agent' }).click()
  await page.getByRole('button', { name: /Make an agent/ }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  const sent = page.waitForRequest(/orders\/create$/)
  await order(page, 'Limit', { Price: '99000', Size: '0.01' })
  const body = (await sent).postDataJSON() as { account: string; agent_wallet: string }
  assert.equal(body.account, await addressOf(page))
  assert.ok(body.agent_wallet && body.agent_wallet !== body.account)
  await tab(page, /Orders \(1\)/).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('k')
  await page.getByRole('tab', { name: 'Agent' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByRole('button', { name: 'Revoke it' }).click()
  await page.getByRole('button', { name: /Make an agent/ }).waitFor()
})

test('a wallet trades, and again at the next visit if it is available', async () => {
  const wallet = newKey()
  const page = await desk.visit(desktop, (fresh) => installWallet(fresh, wallet))
  await connectPocket(page)
  assert.equal(await addressOf(page), wallet.address)
  await page.getByRole('button', { name: 'Sandbox' }).click()
  await page.getByRole('button', { name: '+ 10,000' }).click()
  const sent = page.waitForRequest(/orders\/create_market$/)
  await order(page, 'Market', { Size: '0.02' })
  assert.equal((await sent).postDataJSON().account, wallet.address)
  await page.getByRole('table', { name: 'Positions' }).getByText('long').waitFor()
  await page.reload()
  await page.getByRole('table', { name: 'Positions' }).getByText('long').waitFor()
  assert.equal(await addressOf(page), wallet.address)

  const without = await page.context().newPage()
  await without.goto(desk.url)
  await without.getByText('Pocket is not connected').waitFor()
  assert.equal(await without.locator('.account-facts').count(), 0, 'no other account is shown')
  await without.keyboard.press('k')
  await without.getByRole('button', { name: 'Trade with the key of this browser' }).click()
  await without.locator('.account-facts').waitFor()
  assert.notEqual(await addressOf(without), wallet.address)
})

test('an API key is created, listed and revoked', async () => {
  const page = await desk.visit()
  await page.keyboard.press('k')
  await page.getByRole('tab', { name: 'API keys' }).click()
  // The list moves the button when it loads, and a click may not fall in between.
  await page.getByText('None yet.').waitFor()
  await page.getByRole('button', { name: 'New API key' }).click()
  const key = await page.getByLabel(/The new key/).inputValue()
  assert.match(key, /^[A-Za-z0-9]{8}_/)
  await page.getByText('1 of 5').waitFor()
  const revoke = page.getByRole('button', { name: 'Revoke', exact: true })
  // The second click of a double click revokes nothing.
  await revoke.dblclick()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await revoke.click()
  await page.getByText('1 of 5').waitFor()
  await page.getByRole('button', { name: 'Revoke it' }).click()
  await page.getByText('0 of 5').waitFor()
})

test('fills are exported as a table', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.01' })
  await tab(page, /Fills/).click()
  await page.getByRole('row', { name: /BTC Open long/ }).waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as CSV' }).click()
  const text = await textOf((await (await saved).createReadStream())!)
  assert.match(text, /^history_id,order_id,.*\r\n\d+,\d+,,BTC,0\.01,100010,/)
})

test('the whole exchange is reverted to a snapshot, and continues from there', async () => {
  const page = await desk.visit()
  await page.getByRole('button', { name: 'Sandbox' }).click()
  await page.getByRole('button', { name: 'Create snapshot' }).click()
  const back = page.getByRole('button', { name: /Go back to/ })
  await back.waitFor()
  // Under the panel, but there.
  const trades = page.getByRole('region', { name: 'Trades' })
  await order(page, 'Market', { Size: '0.04321' })
  await trades.getByText('0.04321').waitFor()
  await back.first().click()
  await page.getByText('The sandbox went back').waitFor()
  await trades.getByText('0.04321').waitFor({ state: 'detached' })
  await page.getByText('No open positions').waitFor()
  await order(page, 'Market', { Size: '0.01234' })
  await trades.getByText('0.01234').waitFor()
  await page.getByText('Open long BTC').waitFor()
})

test('theme and panel sizes are remembered', async () => {
  const page = await desk.visit()
  const handle = page.getByRole('separator', { name: 'Width of the ticket' })
  await handle.focus()
  await page.keyboard.press('ArrowLeft')
  const width = await handle.getAttribute('aria-valuenow')
  await page.keyboard.press('d')
  await page.reload()
  await page.locator('.account-facts').waitFor()
  assert.equal(await handle.getAttribute('aria-valuenow'), width)
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'light')
})
