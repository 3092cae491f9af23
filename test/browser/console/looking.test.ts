// Reading the console: its login, the content of each page, what each scope permits, and
// accessibility.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { adminOperations } from '../../../src/gateway/admin/admin-operations.ts'
import { type AdminScope, adminScopes } from '../../../src/protocol/admin/admin-row.ts'
import { after, before, test } from '../../support/browser/browser-tests.ts'
import { ConsoleDesk, enter, goTo, tokenOf } from '../../support/browser/console-desk.ts'
import { phone } from '../../support/browser/trading-desk.ts'
import { AdminClient } from '../../support/http/admin-client.ts'
import { dataOf, type Row } from '../../support/http/api-client.ts'

let desk: ConsoleDesk
let page: Page
before(async () => {
  desk = await ConsoleDesk.open()
  page = await desk.visit('ann')
})
after(() => desk?.close())

test('only the page itself is served without a token', async () => {
  const { adminUrl } = desk.live
  const reply = await fetch(adminUrl)
  assert.equal(reply.status, 200)
  const policy = reply.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.doesNotMatch(await reply.text(), /<script(?![^>]* src=)/)
  for (const path of ['/standing', '/token', '/accounts', '/journal'])
    assert.equal((await fetch(`${adminUrl}${path}`)).status, 401, path)
  const headers = { origin: 'http://evil.example' }
  for (const path of ['/', '/assets/icon.svg'])
    assert.equal((await fetch(`${adminUrl}${path}`, { headers })).status, 403, path)
})

test('a token opens the page, is kept in the tab only, and is removed with it', async () => {
  const visitor = await desk.arrive()
  const requested: string[] = []
  visitor.on('request', (request) => requested.push(request.url()))
  await visitor.getByLabel('Admin token').fill('the-token-of-nobody-here')
  await visitor.getByRole('button', { name: 'Enter' }).click()
  await visitor.getByRole('alert').getByText('CREDENTIALS_REQUIRED').waitFor()
  const token = tokenOf('ann')
  await enter(visitor, token)
  await goTo(visitor, 'Accounts')
  await visitor.getByRole('table', { name: 'Accounts' }).waitFor()
  const kept = 'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])'
  assert.equal(
    await visitor.evaluate(kept),
    JSON.stringify([{}, {}, '', `${desk.live.adminUrl}/#accounts`]),
  )
  assert.deepEqual(await visitor.context().cookies(), [])
  assert.deepEqual(
    requested.filter((url) => url.includes(token)),
    [],
  )
  await visitor.reload()
  await visitor.getByLabel('Admin token').waitFor()
  await enter(visitor, token)
  await visitor.getByRole('button', { name: 'Leave' }).click()
  await visitor.getByLabel('Admin token').waitFor()
  assert.equal(await visitor.getByLabel('Admin token').inputValue(), '')
  await visitor.context().close()
})

test('the overview: health, load, open interest, fund, worst accounts, the queue', async () => {
  await goTo(page, 'Overview')
  const main = page.getByRole('main')
  await main.getByText('Ready', { exact: true }).waitFor()
  await main.getByText(/^(49\.99|50|50\.01)K USD$/).waitFor()
  await main.getByText(/0 requests and 0 commands wait/).waitFor()
  await main.getByText(/paid 0.00 of .* today/).waitFor()
  const worst = main.getByRole('table', { name: 'Worst accounts' })
  const first = worst.locator('tbody tr').first()
  assert.equal(await first.locator('a').getAttribute('title'), desk.long.address)
  assert.match(await first.innerText(), /×\s+cross/)
  await main
    .getByRole('table', { name: 'Markets' })
    .getByRole('row', { name: /BTC Live/ })
    .waitFor()
  await main.getByText('Nothing waits').waitFor()
})

test('a template without a built-in source says so', async () => {
  await goTo(page, 'Markets')
  const templates = page.getByRole('table', { name: 'Templates' })
  await templates.getByRole('row', { name: /^XAG metal .* no built-in source/ }).waitFor()
  await templates
    .getByRole('row', { name: /^XAU metal .* binance, okx, coinbase, kraken/ })
    .waitFor()
})

test('prices by source, with the distance of each from the combined price', async () => {
  await goTo(page, 'Prices')
  const sources = page.getByRole('table', { name: 'Sources', exact: true })
  await sources.getByRole('row', { name: /^one push Push/ }).waitFor()
  const words = page.getByRole('table', { name: 'Sources of BTC' })
  await words.getByRole('row', { name: /one 100010 0\.010%.* fresh/ }).waitFor()
  await page.getByText('2 fresh of 2 needed').waitFor()
})

test('a market that is not ready shows the reason, and a rejected subscription too', async () => {
  const operate = (path: string) =>
    new AdminClient(desk.live, tokenOf('ann')).post(path, { symbol: 'BTC' })
  dataOf(await operate('/markets/reduce_only'))
  await goTo(page, 'Overview')
  await page.getByText('in mode reduce_only, set by an operator').waitFor()
  // The rest is ready: a restriction is the operator's intent.
  await page.getByText('Ready', { exact: true }).waitFor()
  dataOf(await operate('/markets/resume'))
  const refusals = [{ markets: ['BTC'], reason: 'Currency pair not supported' }]
  await page.route('**/prices', async (route) => {
    const reply = await route.fetch()
    const body = (await reply.json()) as { data: { sources: Row[] } }
    Object.assign(body.data.sources[0]!, { refusals })
    await route.fulfill({ response: reply, json: body })
  })
  await goTo(page, 'Prices')
  await page.getByText('refused BTC: Currency pair not supported').waitFor()
  await page.unroute('**/prices')
})

test('the treasury: orders, reports, and rejected reports', async () => {
  const { address } = desk.short
  desk.custody.report(`deposit,wire-of-console,${address},1,,`)
  desk.custody.report(`deposit,wire of console,${address},1,,`)
  await goTo(page, 'Treasury')
  const treasury = page.getByRole('table', { name: 'Treasury' })
  const { folder } = desk.custody
  await treasury.getByRole('row', { name: `a folder ${folder} 1 refused 0 nothing none` }).waitFor()
  assert.match(await treasury.locator('tbody tr').innerText(), /\s1\s+0\s+1$/)
  const refused = page.getByRole('table', { name: 'Refused reports' })
  await refused
    .getByRole('row', { name: /000001.csv line 2, column reference .* without spaces/ })
    .waitFor()
})

test('an account is found by a part of its address, and shown as its owner sees it', async () => {
  await goTo(page, 'Accounts')
  const { address } = desk.short
  const accounts = page.getByRole('table', { name: 'Accounts' })
  const other = accounts.locator(`a[href="#accounts/${desk.long.address}"]`)
  await other.waitFor()
  await page.getByLabel('Part of an address').fill(address.slice(3, 12))
  // The rows from before the search stay until its reply arrives.
  await other.waitFor({ state: 'detached' })
  const row = accounts.locator('tbody tr')
  await row.first().waitFor()
  assert.equal(await row.count(), 1)
  await row.getByRole('link').click()
  await page.getByRole('heading', { name: `Account ${address}` }).waitFor()
  await page.getByRole('table', { name: 'Positions' }).getByText('short').waitFor()
  await page.getByRole('table', { name: 'Open orders' }).getByText('104000').waitFor()
  await page.getByLabel('Part of an address').waitFor({ state: 'detached' })
  await page.goto(`${desk.live.adminUrl}/#accounts/unknown`)
  await page
    .getByRole('alert')
    .getByText(/could not be read/)
    .waitFor()
})

/** Every button that acts, of pages with and without rows, by its operation. */
async function actsOn(visitor: Page): Promise<readonly Act[]> {
  const found: Act[] = []
  const places = ['markets', 'prices', 'accounts', 'withdrawals', 'webhooks', 'money', 'incidents']
  const rows = ['overview', 'markets/BTC', `accounts/${desk.long.address}`]
  for (const place of [...places, ...rows]) {
    await visitor.goto(`${desk.live.adminUrl}/#${place}`)
    await visitor.getByRole('main').locator('.nothing, table').first().waitFor()
    // In one step: a page that is drawn again has its buttons elsewhere.
    found.push(...((await visitor.evaluate(actsThere)) as readonly Act[]))
  }
  return found
}
type Act = Readonly<{ operation: string; text: string; allowed: boolean }>
const actsThere = `[...document.querySelectorAll('main [data-operation]')].map((button) => ({
  operation: button.dataset.operation, text: button.innerText, allowed: !button.disabled }))`

const scopeOf = new Map<string, AdminScope | null>(
  adminOperations.map(({ name, scope }) => [name, scope]),
)
const seen = new Set<string>()

for (const scope of adminScopes)
  test(`with ${scope} only, actions of other scopes name the scope that they need`, async () => {
    const visitor = await desk.visit(scope)
    const acts = await actsOn(visitor)
    assert.ok(acts.length > 5)
    for (const { operation, text, allowed } of acts) {
      const needed = scopeOf.get(operation)
      assert.equal(allowed, needed === scope, `${operation} with ${scope}`)
      assert.equal(/needs (\w+)$/.exec(text)?.[1], allowed ? undefined : needed, text)
      seen.add(operation)
    }
    if (scope !== 'read') {
      await goTo(visitor, 'Journal')
      await visitor.getByText('Not allowed: The journal needs the scope read').waitFor()
    }
    await visitor.context().close()
  })

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const look = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"
type Fault = Readonly<{ id: string; impact: string; nodes: readonly { html: string }[] }>

async function faults(visitor: Page): Promise<readonly string[]> {
  await visitor.evaluate(axe)
  const violations = (await visitor.evaluate(look)) as readonly Fault[]
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 140)}`))
}

const titles = [
  ...['Overview', 'Markets', 'Prices', 'Accounts', 'Withdrawals', 'Webhooks', 'Treasury'],
  ...['Reserves and fees', 'Incidents', 'Tokens', 'Journal'],
]
const wide = 'document.documentElement.scrollWidth'

test('every page, light and dark, has no accessibility violations', async () => {
  for (const title of titles) {
    await goTo(page, title)
    await page.getByRole('main').locator('table, .nothing').first().waitFor()
    assert.deepEqual(await faults(page), [], title)
  }
  await page.goto(`${desk.live.adminUrl}/#markets/BTC`)
  await page.getByRole('table', { name: 'Parameters' }).waitFor()
  assert.deepEqual(await faults(page), [], 'a market')
  await page.getByRole('button', { name: 'Change BTC' }).click()
  assert.deepEqual(await faults(page), [], 'a form')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Halt BTC' }).click()
  assert.deepEqual(await faults(page), [], 'a confirmation')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Light' }).click()
  for (const title of ['Overview', 'Prices']) {
    await goTo(page, title)
    await page.getByRole('main').locator('table').first().waitFor()
    assert.deepEqual(await faults(page), [], `${title}, light`)
  }
  await page.getByRole('button', { name: 'Dark' }).click()
})

test('on a phone nothing is wider than the screen', async () => {
  const visitor = await desk.arrive(phone)
  assert.deepEqual(await faults(visitor), [], 'the door')
  await enter(visitor, tokenOf('reads-markets'))
  for (const title of titles) {
    await goTo(visitor, title)
    await visitor.getByRole('main').locator('table, .nothing').first().waitFor()
    assert.equal(await visitor.evaluate(wide), phone.width, title)
  }
  assert.deepEqual(await faults(visitor), [], 'a phone')
  await visitor.context().close()
})

test('no page logged an error', () => assert.deepEqual(desk.complaints, []))
