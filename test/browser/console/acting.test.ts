// Actions in the console: every action of every page, each by a token with its scope and `read`
// only. The preview on the page is what has changed, and the journal has actor and reason.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { newKey } from '../../../src/client/key.ts'
import { adminOperations } from '../../../src/gateway/admin/admin-operations.ts'
import { templateNamed } from '../../../src/protocol/admin/market-catalogue.ts'
import { ownerlessAddress } from '../../../src/sources/ownerless-address.ts'
import { after, before, test } from '../../support/browser/browser-tests.ts'
import {
  ConsoleDesk,
  changesIn,
  confirm,
  dialog,
  goTo,
  review,
} from '../../support/browser/console-desk.ts'
import { dataOf, type Row } from '../../support/http/api-client.ts'

let desk: ConsoleDesk
before(async () => {
  desk = await ConsoleDesk.open()
})
after(() => desk?.close())

const done = new Set<string>()

const open = async (page: Page, operation: string, within = '') => {
  const button = page.getByRole('main').locator(`[data-operation="${operation}"]`)
  await button.filter({ hasText: within }).first().click()
  await dialog(page).waitFor()
  done.add(operation)
}

type Use = Readonly<{
  operation: string
  within?: string
  fields?: Readonly<Record<string, string>>
  changes: readonly (readonly [string, string, string])[]
}>

/** From the button to the journal. */
async function use(page: Page, { operation, within, fields, changes }: Use): Promise<void> {
  await open(page, operation, within)
  const shown = await review(page, fields)
  for (const change of changes)
    assert.ok(
      shown.some((row) => row.join('|') === change.join('|')),
      `${change.join('|')} is not among ${shown.map((row) => row.join('|')).join('\n')}`,
    )
  await confirm(page, `${operation} in a test`)
}

async function journaled(who: string, what: string, operation: string): Promise<void> {
  const newest = await desk.newest()
  assert.deepEqual(
    [newest.who, newest.what, newest.why],
    [who, what, `${operation} in a test`],
    String(newest.command),
  )
}

const read = async <T = Row>(path: string, query: Readonly<Record<string, string>> = {}) =>
  dataOf<T>(await desk.admin.get(path, query))
const marketNamed = async (symbol: string) =>
  (await read<Row[]>('/markets')).find((each) => each.symbol === symbol)!

test('nothing is done without a reason, and a rejection is shown in the dialog', async () => {
  const page = await desk.visit('reads-markets')
  await page.goto(`${desk.live.adminUrl}/#markets/BTC`)
  await open(page, 'halt_market')
  await changesIn(page)
  const button = dialog(page).getByRole('button', { name: 'Halt BTC' })
  await button.click()
  await dialog(page).getByRole('alert').getByText('Say why').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  assert.equal((await marketNamed('BTC')).mode, 'open')
  await open(page, 'settle_market')
  await review(page, { Price: '0.5' })
  await dialog(page).getByLabel('Reason').fill('a slip')
  await dialog(page).getByRole('button', { name: 'Settle BTC' }).click()
  await dialog(page)
    .getByRole('alert')
    .getByText(/must be a multiple of 1/)
    .waitFor()
  await dialog(page).getByText('What is sent').click()
  await dialog(page).getByText('POST /markets/settle').waitFor()
  await dialog(page).getByRole('button', { name: 'Back' }).click()
  assert.equal(await dialog(page).getByLabel('Price').inputValue(), '0.5')
  await page.context().close()
  assert.equal((await marketNamed('BTC')).status, 'live')
})

test('markets: listed from a copy, changed, announced and cancelled, settled', async () => {
  const page = await desk.visit('reads-markets')
  await goTo(page, 'Markets')
  await use(page, {
    ...{ operation: 'list_market', within: 'like BTC' },
    fields: {
      ...{ Symbol: 'ETH', 'Base asset': 'ETH', 'Tick size': '1', 'Lot size': '0.001' },
      ...{ Oracle: '4000', 'Backstop address': ownerlessAddress('backstop of another') },
    },
    changes: [['Max leverage', '–', '50']],
  })
  await journaled('reads-markets', 'ListMarket', 'list_market')
  await page.getByRole('link', { name: 'ETH' }).click()
  await use(page, {
    ...{ operation: 'change_market', fields: { 'Min order size': '25' } },
    changes: [['Min order size', '10', '25']],
  })
  assert.equal(((await marketNamed('ETH')).params as Row).min_order_size, '25')
  await use(page, {
    ...{ operation: 'change_market', fields: { 'Max leverage': '25' } },
    changes: [['Max leverage', '50', '25']],
  })
  const announced = page.getByRole('table', { name: 'Announced changes' })
  await announced.getByText('max_leverage 50 → 25').waitFor()
  await use(page, {
    operation: 'cancel_market_change',
    changes: [['Announced max_leverage', '25', 'stays 50']],
  })
  await page.getByText('None is announced').waitFor()
  await journaled('reads-markets', 'CancelMarketChange', 'cancel_market_change')
  await use(page, {
    ...{ operation: 'settle_market', fields: { Price: '4001' } },
    changes: [['Price of its positions', 'mark 4000', '4001']],
  })
  assert.equal((await marketNamed('ETH')).status, 'settled')
  await page.context().close()
})

test('a market is listed from a template, with every field visible', async () => {
  const page = await desk.visit('reads-markets')
  await goTo(page, 'Markets')
  const { listing } = templateNamed('sol')!
  await use(page, {
    ...{ operation: 'list_market', within: `List ${listing.symbol} from its template` },
    fields: { Oracle: '150' },
    changes: [
      ['Max leverage', '–', `${listing.max_leverage}`],
      ['Open interest cap', '–', listing.open_interest_cap],
    ],
  })
  assert.equal((await marketNamed(listing.symbol)).base_asset, listing.base_asset)
  await page.context().close()
})

test('a change of risk parameters previews the affected accounts', async () => {
  const page = await desk.visit('reads-markets')
  await page.goto(`${desk.live.adminUrl}/#markets/BTC`)
  await open(page, 'change_market')
  await review(page, { 'Max leverage': '10', 'Risk tiers': '' })
  const reached = dialog(page).getByRole('table', { name: 'Would be liquidated: 1 of 2 holders' })
  await reached.getByText(desk.long.address).waitFor()
  await dialog(page)
    .getByText(/Could open nothing more: \d/)
    .waitFor()
  await page.context().close()
  assert.equal(((await marketNamed('BTC')).params as Row).max_leverage, 50)
})

test('the modes of a market are set one after the other', async () => {
  const page = await desk.visit('reads-markets')
  await page.goto(`${desk.live.adminUrl}/#markets/BTC`)
  let mode = 'open'
  for (const [operation, next] of [
    ['halt_market', 'halted'],
    ['cancel_only_market', 'cancel_only'],
    ['post_only_market', 'post_only'],
    ['reduce_only_market', 'reduce_only'],
    ['resume_market', 'open'],
  ] as const) {
    await use(page, { operation, changes: [['Mode of BTC', mode, next]] })
    assert.equal((await marketNamed('BTC')).mode, next)
    await journaled('reads-markets', 'SetMarketMode', operation)
    mode = next
  }
  await page.context().close()
})

test('accounts: frozen and unfrozen, orders cancelled, limits, notes, keys', async () => {
  const page = await desk.visit('reads-accounts')
  const { short, live } = desk
  const { address: account } = short
  const agent = newKey().address
  dataOf(await live.api.signed(short, '/agent/bind', { agent_wallet: agent }))
  const made = await live.api.signed<{ data: { api_key: string } }>(
    ...([short, '/account/api_keys/create'] as const),
  )
  const shown = () => read('/accounts/show', { account })
  await page.goto(`${live.adminUrl}/#accounts/${account}`)
  await use(page, { operation: 'freeze_account', changes: [['Frozen', 'no', 'yes']] })
  assert.equal((await shown()).frozen, true)
  await use(page, { operation: 'freeze_account', changes: [['Frozen', 'yes', 'no']] })
  assert.equal((await shown()).frozen, false)
  await journaled('reads-accounts', 'FreezeAccount', 'freeze_account')
  await use(page, {
    operation: 'cancel_orders',
    changes: [[`Open orders of ${account}`, '1', '0']],
  })
  await page.getByText('No open order').waitFor()
  await use(page, {
    ...{ operation: 'set_owner_limit', fields: { 'Most it may hold': '2' } },
    changes: [[`Most of BTC for ${account}`, '–', '2']],
  })
  await journaled('reads-accounts', 'SetOwnerLimit', 'set_owner_limit')
  await use(page, {
    ...{ operation: 'note_account', fields: { Note: 'documents\nrequested' } },
    changes: [['Note', '–', 'documents requested']],
  })
  await page.locator('.note').getByText('documents').waitFor()
  assert.equal((await shown()).note, 'documents\nrequested')
  await use(page, {
    operation: 'unbind_agent',
    changes: [[`Agent ${agent}`, 'bound', 'not bound']],
  })
  assert.deepEqual((await shown()).agents, [])
  await goTo(page, 'Accounts')
  const prefix = made.body.data.api_key.slice(0, 8)
  await use(page, {
    ...{ operation: 'set_key_credits', fields: { Prefix: prefix, Credits: '600' } },
    changes: [[`Credits a minute of ${prefix}`, '–', '600']],
  })
  await journaled('reads-accounts', 'SetApiKeyCredits', 'set_key_credits')
  await page.context().close()
})

test('the operator sets limits, fees and the fund, sees errors, makes backups', async () => {
  const page = await desk.visit('reads-operate')
  await goTo(page, 'Withdrawals')
  await use(page, {
    ...{ operation: 'set_withdrawal_limits', fields: { 'Two approvals above': '100' } },
    changes: [
      ['Approval above', 'no limit', '100'],
      ['Daily max', 'no limit', 'no limit'],
    ],
  })
  await goTo(page, 'Reserves and fees')
  await use(page, {
    operation: 'set_fee_tiers',
    fields: { Tiers: '0, 0.0002, 0.0005\n1000000, 0.0001, 0.0004' },
    changes: [
      [
        'Tier 1',
        'from 5000000 USD: maker 0.00012, taker 0.00038',
        'from 1000000 USD: maker 0.0001, taker 0.0004',
      ],
      ['Tier 2', 'from 10000000 USD: maker 0.00009, taker 0.00036', '–'],
    ],
  })
  const { tiers } = await read<{ tiers: Row[] }>('/fees')
  assert.equal(tiers.length, 2)
  const before = await read('/reserves')
  await use(page, {
    ...{ operation: 'set_insurance_share', fields: { Share: '0.25' } },
    changes: [['Share', String(before.insurance_share), '0.25']],
  })
  await use(page, {
    ...{ operation: 'set_insurance_daily_max', fields: { 'Daily max': '0.4' } },
    changes: [['Daily max', String(before.insurance_daily_max), '0.4']],
  })
  const now = await read('/reserves')
  assert.deepEqual([now.insurance_share, now.insurance_daily_max], ['0.25', '0.4'])
  await goTo(page, 'Overview')
  await use(page, { operation: 'back_up', changes: [] })
  await use(page, {
    ...{ operation: 'set_exchange_mode', fields: { Mode: 'post_only' } },
    changes: [['Mode', 'open', 'post_only']],
  })
  await page.getByText('Mode post only').waitFor()
  await use(page, {
    ...{ operation: 'set_exchange_mode', fields: { Mode: 'open' } },
    changes: [['Mode', 'post_only', 'open']],
  })
  await page.context().close()
})

test('incidents are announced, updated and resolved', async () => {
  const page = await desk.visit('reads-operate')
  await goTo(page, 'Incidents')
  await use(page, {
    operation: 'announce_incident',
    fields: { Title: 'Prices are late', Text: 'We look into it.', Impact: 'degraded' },
    changes: [['Title', '–', 'Prices are late']],
  })
  await page.getByText('We look into it.').waitFor()
  await use(page, {
    ...{ operation: 'update_incident', fields: { Text: 'One source is back.' } },
    changes: [['What is said', 'We look into it.', 'One source is back.']],
  })
  await page.getByText('One source is back.').waitFor()
  await use(page, {
    ...{ operation: 'resolve_incident', fields: { Text: 'All is well.' } },
    changes: [['State', 'goes on', 'resolved']],
  })
  await page.getByText('All is well.').waitFor()
  const [incident] = await read<Row[]>('/incidents')
  assert.ok(incident!.resolved_at !== null)
  await journaled('reads-operate', 'KeepNote', 'resolve_incident')
  await page.context().close()
})

test('money: credited, approved by two, completed, failed, moved', async () => {
  const page = await desk.visit('reads-money')
  const { address: account } = desk.short
  await page.goto(`${desk.live.adminUrl}/#accounts/${account}`)
  const { balance } = await read('/accounts/show', { account })
  await use(page, {
    ...{ operation: 'credit_deposit', fields: { Amount: '1000', Reference: 'bank-1' } },
    changes: [
      ['Account', '–', account],
      ['Reference', '–', 'bank-1'],
    ],
  })
  const after = await read('/accounts/show', { account })
  assert.equal(Number(after.balance) - Number(balance), 1000)
  const [large, small] = [
    await desk.withdrawal(desk.short, '150'),
    await desk.withdrawal(desk.short, '50'),
  ]
  await goTo(page, 'Withdrawals')
  await use(page, {
    operation: 'approve_withdrawal',
    changes: [
      ['Approved by', 'none', 'reads-money'],
      ['State', 'waiting', 'waiting'],
    ],
  })
  await page.getByText('1 of 2 reads-money').waitFor()
  await open(page, 'approve_withdrawal')
  await dialog(page).getByLabel('Reason').fill('twice by one')
  await dialog(page)
    .getByRole('button', { name: `Approve withdrawal ${large}` })
    .click()
  await dialog(page).getByRole('alert').getByText('WITHDRAWAL_APPROVER_REPEATED').waitFor()
  await page.keyboard.press('Escape')
  const second = await desk.visit('ann')
  await goTo(second, 'Withdrawals')
  await use(second, {
    operation: 'approve_withdrawal',
    changes: [
      ['Approved by', 'reads-money', 'reads-money, ann'],
      ['State', 'waiting', 'payable'],
    ],
  })
  await journaled('ann', 'ApproveWithdrawal', 'approve_withdrawal')
  await second.context().close()
  await use(page, {
    ...{ operation: 'complete_withdrawal', within: `withdrawal ${large}` },
    changes: [['State', 'payable', 'completed']],
  })
  await use(page, {
    // The owner's withdrawals of the day exceed the limit together, so this one waits as well.
    ...{ operation: 'fail_withdrawal', within: `withdrawal ${small}` },
    changes: [['State', 'waiting', 'failed']],
  })
  await page.getByText('Nothing waits').waitFor()
  await goTo(page, 'Reserves and fees')
  const { fees, insurance } = await read('/reserves')
  await use(page, {
    ...{ operation: 'move_reserve', fields: { Amount: '1' } },
    changes: [
      ['Fees', String(fees), 'less 1'],
      ['Insurance', String(insurance), 'more 1'],
    ],
  })
  const moved = await read('/reserves')
  assert.equal(Number(moved.insurance) - Number(insurance), 1)
  await journaled('reads-money', 'MoveReserve', 'move_reserve')
  await page.context().close()
})

test('a manual credit waits for a second token, and the brake is set', async () => {
  const { address: account } = desk.short
  const limits = { approval_above: '100', daily_max: null }
  const limit = (credit_approval_above: string | null) =>
    desk.admin.post('/withdrawals/limits', { ...limits, credit_approval_above })
  dataOf(await limit('5'))
  for (const reference of ['hand-1', 'hand-2'])
    dataOf(await desk.admin.post('/deposits', { account, amount: '6', reference }))
  const page = await desk.visit('ann')
  await goTo(page, 'Withdrawals')
  const { balance } = await read('/accounts/show', { account })
  await use(page, { operation: 'approve_credit', changes: [['Account', account, '6 USD more']] })
  await journaled('ann', 'ApproveCredit', 'approve_credit')
  const after = await read('/accounts/show', { account })
  assert.equal(Number(after.balance) - Number(balance), 6)
  await use(page, {
    operation: 'drop_credit',
    changes: [['Credit', `6 USD to ${account}`, 'dropped']],
  })
  await page.getByText('No credit waits').waitFor()
  await goTo(page, 'Withdrawal brake')
  await use(page, {
    ...{ operation: 'set_withdrawal_brake', fields: { Minutes: '30' } },
    changes: [['Minutes', '60', '30']],
  })
  await journaled('ann', 'SetWithdrawalBrake', 'set_withdrawal_brake')
  dataOf(await limit(null))
  await page.context().close()
})

test('events that a webhook rejected are delivered again', async () => {
  const page = await desk.visit('reads-operate')
  const now = async () => (await read<Row[]>('/webhooks'))[0]!
  const account = desk.long.address
  const reference = 'a-payment-that-the-receiver-does-not-like'
  dataOf(await desk.admin.post('/deposits', { account, amount: '13', reference }))
  while (((await now()).given_up as Row[]).length === 0) await page.waitForTimeout(100)
  await goTo(page, 'Webhooks')
  const hooks = page.getByRole('table', { name: 'Webhooks' })
  await hooks.getByRole('row', { name: /^payments 127.0.0.1:\d+ 1 given up .* 503/ }).waitFor()
  const lost = page.getByRole('table', { name: 'Given up' })
  await lost.getByRole('row', { name: /payments \d+-0 deposit.credited .* 503/ }).waitFor()
  const { seq } = await now()
  desk.hook.takes = true
  const delivered = desk.hook.taken.length
  await use(page, {
    ...{ operation: 'tell_again', within: 'From here' },
    fields: { 'From entry': String(seq) },
    changes: [
      ['Delivered up to entry', String(seq), String(Number(seq) - 1)],
      ['Given up', '1', '0'],
    ],
  })
  await page.getByText('Nothing was given up').waitFor()
  await journaled('reads-operate', 'KeepNote', 'tell_again')
  while (desk.hook.taken.length === delivered) await page.waitForTimeout(100)
  assert.equal(desk.hook.taken.at(-1)!.reference, reference)
  await page.context().close()
})

test('a proof of reserves is made, with how to check it', async () => {
  const page = await desk.visit('reads-operate')
  await goTo(page, 'Reserves and fees')
  const panel = page.getByRole('region', { name: 'Proof of reserves' })
  await panel.getByText('None was made yet').waitFor()
  await use(page, {
    operation: 'prove_reserves',
    changes: [['Newest proof', 'none', 'of the newest entry']],
  })
  const { newest } = await read<{ newest: Row }>('/reserves/proof')
  await panel.getByText(`openperp verify mine.json --root ${newest.root}`).waitFor()
  const sums = dataOf(await desk.live.api.get('/info/reserves'))
  assert.deepEqual(sums, newest)
  await panel.getByText(`${newest.accounts}`, { exact: true }).waitFor()
  await journaled('reads-operate', 'KeepNote', 'prove_reserves')
  await page.context().close()
})

test('a price is pushed by hand', async () => {
  const page = await desk.visit('reads-prices')
  await goTo(page, 'Prices')
  await page.getByRole('table', { name: 'Sources of BTC' }).waitFor()
  await use(page, {
    ...{ operation: 'push_prices', fields: { Price: '100000' } },
    changes: [['BTC by reads-prices', '–', '100000']],
  })
  const words = page.getByRole('table', { name: 'Sources of BTC' })
  await words.getByRole('row', { name: /reads-prices 100000/ }).waitFor()
  await page.context().close()
})

test('the journal shows actors, actions and reasons, and what was rejected', async () => {
  const deposit = { account: desk.long.address, amount: '-1', reference: 'below-zero' }
  assert.equal((await desk.admin.post('/deposits', deposit)).status, 422)
  const page = await desk.visit('read')
  await goTo(page, 'Journal')
  const journal = page.getByRole('table', { name: 'Journal' })
  await journal
    .getByRole('row', { name: /reads-money MoveReserve move_reserve in a test/ })
    .waitFor()
  await page.getByRole('button', { name: 'Older' }).click()
  await journal.getByRole('row', { name: /root ListMarket a test/ }).waitFor()
  await page.getByRole('button', { name: 'Newer' }).click()
  await journal.getByRole('row', { name: /MoveReserve .* done / }).waitFor()
  await journal.getByRole('row', { name: /Deposit a test refused INVALID_AMOUNT/ }).waitFor()
  await goTo(page, 'Tokens')
  const tokens = page.getByRole('table', { name: 'Tokens' })
  await tokens.getByRole('row', { name: /^read \(yours\) yes no no no no no/ }).waitFor()
  await page.context().close()
})

test('draining, after which every action has been covered', async () => {
  const page = await desk.visit('reads-operate')
  await use(page, {
    operation: 'drain',
    changes: [['Orders', 'taken', 'refused; cancels are served']],
  })
  await page.getByText('Not ready').waitFor()
  await page.context().close()
  const acting = adminOperations.filter(
    ({ http, scope }) => http.startsWith('POST') && scope !== 'read',
  )
  assert.deepEqual([...done].toSorted(), acting.map(({ name }) => name).toSorted())
  assert.deepEqual(desk.complaints, [])
})
