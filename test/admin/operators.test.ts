// What an operator learns of the exchange and of his own token, over HTTP.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { adminScopes } from '../../src/protocol/admin-scopes.ts'
import { ownerlessAddress } from '../../src/sources/ownerless-address.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const scoped = adminScopes.map((scope) => `${scope}-only:the-token-of-${scope}-alone:${scope}`)
const tokens = `root:the-token-of-every-scope:${adminScopes.join('+')},${scoped.join(',')}`
const live = await frozenSandbox(['--admin-tokens', tokens])
after(() => live.close())
const root = new AdminClient(live)
const withScope = (scope: string) => new AdminClient(live, `the-token-of-${scope}-alone`)

test('every token may ask whose it is and what it may do', async () => {
  for (const scope of adminScopes)
    assert.deepEqual(dataOf(await withScope(scope).get('/token')), {
      ...{ name: `${scope}-only`, scopes: [scope] },
    })
  const stranger = new AdminClient(live, 'the-token-of-nobody-here')
  refused(await stranger.get('/token'), { status: 401, says: /CREDENTIALS_REQUIRED/ })
})

test('how the exchange stands: what keeps it from orders, its load, what is queued', async () => {
  const standing = async () => dataOf<Row>(await withScope('read').get('/standing'))
  const now = await standing()
  assert.deepEqual(
    [now.kind, now.mode, now.missing, now.withdrawals, now.withdrawals_value],
    ['sandbox', 'open', null, 0, '0'],
  )
  assert.ok(Number(now.disk_free_bytes) > 0 && Number(now.seq) >= Number(now.history_seq))
  const trader = await live.trader('1000')
  const limits = { approval_above: '20', daily_max: null }
  dataOf(await root.post('/withdrawals/limits', limits))
  for (const amount of ['10', '25.5'])
    dataOf(await live.api.signed(trader, '/account/withdraw', { amount }))
  const change = { risk_tiers: [{ from_value: '1000', max_leverage: 3 }] }
  dataOf(await root.post('/markets/change', { symbol: 'SOL', change }))
  dataOf(await root.post('/exchange/mode', { mode: 'halted' }))
  const later = await standing()
  const queued = [later.withdrawals, later.withdrawals_waiting, later.withdrawals_value]
  assert.deepEqual(queued, [2, 1, '35.5'])
  assert.equal(later.announced_changes, 1)
  assert.deepEqual([later.mode, later.missing], ['halted', 'halted'])
  assert.equal(Number(later.accounts), Number(now.accounts) + 1)
})

test('a note is kept on an account, replaced, taken away, told to operators alone', async () => {
  const { address: account } = await live.trader('10')
  const note = async () => dataOf<Row>(await root.get('/accounts/show', { account })).note
  const notes = withScope('accounts')
  assert.equal(await note(), null)
  for (const text of ['asked for its papers', 'has sent them', null]) {
    assert.deepEqual(dataOf(await notes.post('/accounts/note', { account, text })), {
      ...{ account, text },
    })
    assert.equal(await note(), text)
  }
  const [newest] = dataOf<Row[]>(await root.get('/journal', { limit: 1 }))
  assert.deepEqual([newest!.who, newest!.what], ['accounts-only', 'KeepNote'])
  const stranger = { account: ownerlessAddress('nobody'), text: 'x' }
  refused(await notes.post('/accounts/note', stranger), {
    ...{ status: 422, code: 1, says: /ACCOUNT_NOT_FOUND/ },
  })
  const long = { account, text: 'x'.repeat(2_001) }
  refused(await notes.post('/accounts/note', long), { status: 400, says: /text/ })
})

test('data are not kept by whatever is between, and the page is', async () => {
  const headers = { authorization: 'Bearer the-token-of-every-scope' }
  const data = await fetch(`${live.adminUrl}/standing`, { headers })
  assert.equal(data.headers.get('cache-control'), 'no-store')
  const page = await (await fetch(live.adminUrl)).text()
  const [script] = /\/assets\/app-[0-9a-f]{12}\.js/.exec(page)!
  const reply = await fetch(`${live.adminUrl}${script}`)
  assert.match(reply.headers.get('cache-control') ?? '', /immutable/)
})
