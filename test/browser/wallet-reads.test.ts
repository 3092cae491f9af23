// A wallet without an agent cannot sign reads, so the terminal shows which data of the account is
// missing, and how to see it.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { newKey } from '../../src/client/key.ts'
import { after, before, test } from '../support/browser/browser-tests.ts'
import { desktop, order, TradingDesk, tab } from '../support/browser/trading-desk.ts'
import { connectPocket, installWallet } from '../support/browser/wallet.ts'

const desks = new Map<string, TradingDesk>()
before(async () => {
  for (const reads of ['public', 'resting'])
    desks.set(reads, await TradingDesk.open(['--reads', reads]))
})
after(async () => {
  for (const desk of desks.values()) await desk.close()
})

/** With a wallet that has money. */
async function visit(reads: string): Promise<Page> {
  const wallet = newKey()
  const page = await desks.get(reads)!.visit(desktop, (fresh) => installWallet(fresh, wallet))
  await connectPocket(page)
  await page.getByRole('button', { name: 'Sandbox' }).click()
  await page.getByRole('button', { name: '+ 10,000' }).click()
  await page.keyboard.press('Escape')
  return page
}

const note = (page: Page) => page.getByRole('note').filter({ hasText: 'Not shown: your orders' })
const makeKey = (page: Page) =>
  page.getByRole('button', { name: 'Show mine: make an API key for this browser' })

test('where stops are private, the terminal says so, and an API key shows them', async () => {
  const page = await visit('resting')
  await order(page, 'Stop', { 'Trigger at mark': '101000', Size: '0.01' })
  for (const name of [/^Positions/, /^Orders/, /^Order history/, /^Stops & algos$/]) {
    await tab(page, name).click()
    await note(page).getByText('wait for their release, stops, TP/SL levels and algos').waitFor()
  }
  await tab(page, /^Balance/).click()
  assert.equal(await note(page).count(), 0)
  await tab(page, /^Stops & algos/).click()
  await makeKey(page).click()
  await tab(page, /^Stops & algos \(1\)/).waitFor()
  await note(page).waitFor({ state: 'detached' })
  await page.reload()
  await tab(page, /^Stops & algos \(1\)/).waitFor()
})

test('where only waiting orders are private, the terminal says so to a wallet', async () => {
  const page = await visit('public')
  await order(page, 'Stop', { 'Trigger at mark': '101000', Size: '0.01' })
  await tab(page, /^Stops & algos \(1\)/).click()
  assert.equal(await note(page).count(), 0)
  await tab(page, /^Orders/).click()
  await note(page).getByText('wait for their release. This exchange').waitFor()
  await makeKey(page).click()
  await note(page).waitFor({ state: 'detached' })
})

test('an agent signs the reads of a wallet', async () => {
  const page = await visit('resting')
  await tab(page, /^Orders/).click()
  await note(page).waitFor()
  await page.keyboard.press('k')
  await page.getByRole('tab', { name: 'Agents' }).click()
  await page.getByRole('button', { name: /Make an agent/ }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await note(page).waitFor({ state: 'detached' })
  await order(page, 'Stop', { 'Trigger at mark': '101000', Size: '0.01' })
  await tab(page, /^Stops & algos \(1\)/).waitFor()
})
