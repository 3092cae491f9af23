// `openperp withdraw` against a real exchange, from the preview to the state of the request.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'
import { subaccountBody } from '../support/http/subaccount-body.ts'

const live = await frozenSandbox()
after(() => live.close())
const admin = new AdminClient(live)
const key = await live.trader('1000')
const environment = { OPENPERP_URL: live.url, OPENPERP_KEY: key.secret }
const run = (...args: string[]) => openperp(['withdraw', ...args], { environment })
const answered = (answer: string, ...args: string[]) =>
  openperp(['withdraw', ...args], { environment, answers: [answer] })
const accountNow = async () => dataOf<Row>(await live.api.get('/account', { account: key.address }))
const pending = async () => (await accountNow()).pending_balance

test('a preview shows the withdrawal and sends nothing', async () => {
  const shown = await run('250.5', '--preview')
  assert.equal(shown.code, 0, shown.err)
  assert.match(shown.out, /^accepted[\s\S]*250\.5 USD[\s\S]*1000 USD, then 749\.5 USD/)
  assert.match(shown.out, /available to withdraw +1000 USD/)
  for (const [amount, says] of [
    ['1000.000001', /refused +1000\.000001 USD is more than the withdrawable 1000 USD/],
    ['0.000001', /refused +0\.000001 USD is below the minimum of \d+ USD/],
  ] as const) {
    const refused = await run(amount, '--preview')
    assert.equal(refused.code, 1)
    assert.match(refused.out, says)
  }
  assert.equal(await pending(), '0')
})

test('at a terminal the command asks for confirmation; a script has to pass --yes', async () => {
  const script = await run('20')
  assert.equal(script.code, 2)
  assert.match(script.err, /--yes skips the question, --preview only shows it/)
  const no = await answered('n', '20')
  assert.equal(no.code, 2)
  assert.match(no.err, /withdraw +20 USD[\s\S]*nothing was done/)
  assert.equal(await pending(), '0')
  const yes = await answered('y', '20')
  assert.equal(yes.code, 0, yes.err)
  assert.match(yes.out, /withdrawal \d+: 20 USD requested; pending/)
  assert.equal(await pending(), '20')
})

test('without an amount it lists earlier requests and their states', async () => {
  const request = (amount: string) =>
    openperpJson<Row>(['withdraw', amount, '--yes'], { environment })
  const [paid, returned] = [(await request('30')).json, (await request('40')).json]
  assert.deepEqual([returned.amount, returned.pending_balance], ['40', '90'])
  const withdrawal = (row: Row) => ({ withdrawal_id: row.withdrawal_id })
  dataOf(await admin.post('/withdrawals/complete', withdrawal(paid)))
  dataOf(await admin.post('/withdrawals/fail', withdrawal(returned)))
  const { json } = await openperpJson<{ steps: Row[]; pending_balance: string }>(['withdraw'], {
    environment,
  })
  assert.equal(json.pending_balance, '20')
  assert.deepEqual(
    json.steps.map(({ step, amount }) => [step, amount]),
    [
      ['returned', '40'],
      ['paid', '0'],
      ['requested', '-40'],
      ['requested', '-30'],
      ['requested', '-20'],
    ],
  )
  const shown = await run()
  assert.equal(shown.code, 0)
  assert.match(shown.out, /available to withdraw +950 USD\npending +20 USD/)
})

test('rejections are in plain words, and usage errors name the right usage', async () => {
  const sub = newKey()
  const main = await live.trader('100')
  dataOf(await live.api.post('/account/subaccount/create', await subaccountBody(main, sub)))
  const asSub = { ...environment, OPENPERP_KEY: sub.secret }
  for (const [args, code, says, as] of [
    [
      ['5000', '--yes'],
      1,
      /OVER_WITHDRAWAL: 5000 USD is more than the withdrawable 950 USD/,
      environment,
    ],
    [['0.1', '--yes'], 1, /WITHDRAW_AMOUNT_TOO_LOW: 0\.1 USD is below the minimum/, environment],
    [['5', '--yes'], 1, /SUBACCOUNT_WITHDRAWAL_NOT_ALLOWED: transfer to the main account/, asSub],
    [['1.0000001'], 2, /1\.0000001 is not an amount\nUSD above 0 with at most six/, environment],
    [['-5'], 2, /./, environment],
    [['0'], 2, /0 is not an amount/, environment],
    [['9007199254.740992'], 2, /and at most 9007199254\.740991$/m, environment],
    [['--yes'], 2, /the amount is required/, environment],
  ] as const) {
    const ran = await openperp(['withdraw', ...args], { environment: as })
    assert.equal(ran.code, code, `${args} ${ran.out} ${ran.err}`)
    assert.match(ran.err, says)
  }
  assert.equal(await pending(), '20')
})

test('a lost reply is reported as such, with where to look', async () => {
  const proxy = createServer(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const isPost = request.method === 'POST'
    const answer = await fetch(`${live.url}${request.url}`, {
      method: request.method!,
      headers: isPost ? { 'content-type': 'application/json' } : {},
      ...(isPost ? { body: Buffer.concat(chunks) } : {}),
    })
    if (isPost) reply.destroy()
    else reply.writeHead(answer.status).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const through = { ...environment, OPENPERP_URL: url }
  const lost = await openperp(['withdraw', '7', '--yes'], { environment: through })
  assert.equal(lost.code, 3, lost.out)
  assert.match(lost.err, /whether it was requested is not known[\s\S]*look there before you/)
  assert.equal(await pending(), '27')
  proxy.close()
  const unreachable = { ...environment, OPENPERP_URL: url }
  const unsent = await openperp(['withdraw', '7', '--yes'], { environment: unreachable })
  assert.equal(unsent.code, 3)
  assert.doesNotMatch(unsent.err, /not known/)
})
