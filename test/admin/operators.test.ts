// Information for operators about the exchange and their own token, over HTTP.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { adminOperations } from '../../src/gateway/admin/admin-operations.ts'
import { adminScopes } from '../../src/protocol/admin/admin-row.ts'
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

test('any token can read its own name and scopes', async () => {
  for (const scope of adminScopes)
    assert.deepEqual(dataOf(await withScope(scope).get('/token')), {
      ...{ name: `${scope}-only`, scopes: [scope] },
    })
  const stranger = new AdminClient(live, 'the-token-of-nobody-here')
  refused(await stranger.get('/token'), { status: 401, says: /CREDENTIALS_REQUIRED/ })
})

test('the status shows what blocks orders, the load, and what is queued', async () => {
  const status = async () => dataOf<Row>(await withScope('read').get('/standing'))
  const now = await status()
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
  const later = await status()
  const queued = [later.withdrawals, later.withdrawals_waiting, later.withdrawals_value]
  assert.deepEqual(queued, [2, 1, '35.5'])
  assert.equal(later.announced_changes, 1)
  assert.deepEqual([later.mode, later.missing], ['halted', 'halted'])
  assert.equal(Number(later.accounts), Number(now.accounts) + 1)
})

test('a note is set on an account, replaced, removed, and shown to operators only', async () => {
  const { address: account } = await live.trader('10')
  const note = async () => dataOf<Row>(await root.get('/accounts/show', { account })).note
  const notes = withScope('accounts')
  assert.equal(await note(), null)
  for (const text of ['documents requested', 'documents received', null]) {
    assert.deepEqual(dataOf(await notes.post('/accounts/note', { account, text })), {
      ...{ account, text },
    })
    assert.equal(await note(), text)
  }
  const [newest] = dataOf<Row[]>(await root.get('/journal', { limit: 1 }))
  assert.deepEqual([newest!.who, newest!.what], ['accounts-only', 'KeepNote'])
  const stranger = { account: ownerlessAddress('of no account'), text: 'x' }
  refused(await notes.post('/accounts/note', stranger), {
    ...{ status: 422, code: 1, says: /ACCOUNT_NOT_FOUND/ },
  })
  const long = { account, text: 'x'.repeat(2_001) }
  refused(await notes.post('/accounts/note', long), { status: 400, says: /text/ })
})

test('data must not be cached, the page may be', async () => {
  const headers = { authorization: 'Bearer the-token-of-every-scope' }
  const data = await fetch(`${live.adminUrl}/standing`, { headers })
  assert.equal(data.headers.get('cache-control'), 'no-store')
  const page = await (await fetch(live.adminUrl)).text()
  const [script] = /\/assets\/app-[0-9a-f]{12}\.js/.exec(page)!
  const reply = await fetch(`${live.adminUrl}${script}`)
  assert.match(reply.headers.get('cache-control') ?? '', /immutable/)
})

test('a reason is a single line of text, in any script', async () => {
  const halt = (reason: string) => root.post('/markets/halt', { symbol: 'SOL', reason })
  const newest = async () => dataOf<Row[]>(await root.get('/journal', { limit: 1 }))[0]!
  const before = await newest()
  const bad = ['\u0000', '   ', ' padded', 'padded ', 'two\nlines', '\u2028', '\ud800']
  for (const reason of bad)
    refused(await halt(reason), {
      status: 400,
      says: /reason (is required: .* on one line|has half of a character|has the character U\+)/,
    })
  assert.deepEqual(await newest(), before)
  const reason = 'Überprüfung: 価格が変だ 🙂'
  dataOf(await root.post('/markets/resume', { symbol: 'SOL', reason }))
  assert.equal((await newest()).why, reason)
  // Fields that the exchange interprets are ASCII, and the invalid field is named.
  for (const [path, body, says] of [
    ['/markets/preview_change', { symbol: 'ΒTC', change: {} }, /: symbol has .* ASCII, U\+0392; /],
    [
      '/incidents/announce',
      { title: 'ä', text: 'ü', impact: 'notice', markets: ['BTC', 'ΕTH'] },
      /: markets has a character outside ASCII, U\+0395; only reason, reference, title, text may/,
    ],
  ] as const)
    refused(await root.post(path, body), { status: 400, says })
  const announced = { title: 'ä', text: 'ü', impact: 'notice', markets: ['BTC'] }
  dataOf(await root.post('/incidents/announce', announced))
  const page = (await (await fetch(`${live.url}/status`)).json()) as Row
  assert.match(JSON.stringify(page), /"title":"ä"/)
})

test('rejected actions look different from executed ones', async () => {
  const deposit = { account: newKey().address, amount: '5', reference: 'refused-1' }
  dataOf(await root.post('/deposits', deposit))
  refused(await root.post('/deposits', { ...deposit, amount: '6' }), {
    ...{ status: 409, says: /DEPOSIT_CONFLICT/ },
  })
  refused(await root.post('/deposits', { ...deposit, amount: '-5', reference: 'refused-2' }), {
    ...{ status: 422, code: 59, says: /INVALID_AMOUNT/ },
  })
  const rows = dataOf<Row[]>(await root.get('/journal', { limit: 3 }))
  assert.deepEqual(
    rows.map(({ what, outcome, rejection }) => [what, outcome, rejection]),
    [
      ['CreditDeposit', 'refused', 'INVALID_AMOUNT'],
      ['CreditDeposit', 'refused', 'DEPOSIT_CONFLICT'],
      ['CreditDeposit', 'done', null],
    ],
  )
})

test('a missing permission is reported first, for any body of any size', async () => {
  const [bytes, type] = ['x'.repeat(3_000_000), 'application/json']
  const post = async (path: string, token: string, sent: { body: string; type: string }) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': sent.type }
    const url = `${live.adminUrl}${path}`
    const reply = await fetch(url, { method: 'POST', headers, body: sent.body })
    // A server that closes while the body is being sent may reset the connection, and the reply is
    // lost. After a wrong token it closes too, but only once it has read the whole body.
    if (reply.status !== 401) assert.notEqual(reply.headers.get('connection'), 'close')
    return [reply.status, String(((await reply.json()) as Row).error).split(':')[0]]
  }
  const strangers: Promise<void>[] = []
  for (const { http, scope } of adminOperations) {
    const [method, path] = http.split(' ') as [string, string]
    if (method !== 'POST' || scope === null) continue
    // Concurrently: each waits longer than the one before.
    const sent =
      strangers.length % 2 === 0 ? { body: bytes, type } : { body: 'x', type: 'text/plain' }
    strangers.push(
      post(path, 'the-token-of-nobody-here', sent).then((stranger) =>
        assert.deepEqual(stranger, [401, 'CREDENTIALS_REQUIRED'], path),
      ),
    )
    const other = adminScopes.find((each) => each !== scope)!
    for (const sent of [
      { body: bytes, type },
      { body: 'x', type: 'text/plain' },
    ]) {
      const limited = await post(path, `the-token-of-${other}-alone`, sent)
      assert.deepEqual(limited, [403, 'SCOPE_REQUIRED'], path)
    }
  }
  await Promise.all(strangers)
  const token = 'the-token-of-every-scope'
  const large = await post('/drain', token, { body: bytes, type })
  assert.deepEqual(large, [413, 'BODY_TOO_LARGE'])
  const strange = await post('/drain', token, { body: 'x', type: 'text/plain' })
  assert.deepEqual(strange, [415, 'UNSUPPORTED_MEDIA_TYPE'])
})
