// The examples of docs/api/reference.md are sent as printed.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { sandboxKeys } from '../../../src/client/sandbox-keys.ts'
import { needsFirst } from '../../../src/gateway/documents/examples.ts'
import { apiOperations } from '../../../src/gateway/routes/all-operations.ts'
import { openperp } from '../../support/cli/run-openperp.ts'
import { dataOf } from '../../support/http/api-client.ts'
import { frozenSandbox } from '../../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
for (const { key } of sandboxKeys)
  dataOf(await live.sandbox('faucet', { account: key.address, amount: '100000' }))
await live.price('BTC', '105000')
await live.running.exchange.sandbox!.keepStart()
const maker = await live.trader()
for (const [side, price] of [
  ['bid', '104990'],
  ['ask', '105010'],
])
  await live.order(maker, { symbol: 'BTC', side, price, amount: '1' })

const page = readFileSync(new URL('../../../../docs/api/reference.md', import.meta.url), 'utf8')
/** The printed line of each operation, by its name. */
const lines = new Map(
  page.split('\n### ').flatMap((section) => {
    const [, line] = /\n```\n(.*)\n```\n/.exec(section) ?? []
    return line === undefined ? [] : [[section.slice(0, section.indexOf('\n')), line] as const]
  }),
)

/** Examples that are rejected as printed because they need prior state, and the error of each. */
const needs: Readonly<Record<string, RegExp>> = {
  get_twap_events: /ORDER_NOT_FOUND/,
  get_receipt: /NOT_FOUND: entry 1 is not a command/,
  explain_order: /CREDENTIALS_REQUIRED/,
  explain_fill: /CREDENTIALS_REQUIRED/,
  explain_refusal: /CREDENTIALS_REQUIRED/,
  explain_liquidation: /CREDENTIALS_REQUIRED/,
  explain_funding: /CREDENTIALS_REQUIRED/,
  explain_position: /CREDENTIALS_REQUIRED/,
  cancel_order: /ORDER_NOT_FOUND/,
  cancel_stop_order: /ORDER_NOT_FOUND/,
  cancel_twap_order: /TWAP_NOT_FOUND/,
  edit_order: /ORDER_NOT_FOUND/,
  set_position_tpsl: /POSITION_NOT_FOUND/,
  add_isolated_margin: /POSITION_NOT_FOUND/,
  transfer_funds: /INVALID_TRANSFER_RELATIONSHIP/,
  revoke_api_key: /API_KEY_NOT_FOUND/,
}

async function answerTo(line: string): Promise<string | null> {
  const [, path, body] = /^npx openperp request (\S+)(?: '(.*)')? --key alice$/.exec(line) ?? []
  if (path !== undefined) {
    const args = ['request', path, ...(body === undefined ? [] : [body]), '--key', 'alice']
    const ran = await openperp(args, { environment: { OPENPERP_URL: live.url } })
    return ran.code === 0 ? null : ran.err
  }
  const [, posted, sent] = /^curl -X POST (\S+) .* -d '(.*)'$/.exec(line) ?? []
  const [, got] = /^curl '(\S+)'$/.exec(line) ?? []
  const url = String(posted ?? got).replace('http://127.0.0.1:8080', live.url)
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(
    url,
    posted === undefined ? {} : { method: 'POST', headers, body: sent! },
  )
  return reply.status === 200 ? null : await reply.text()
}

test('error codes match the documented ones', async () => {
  const [, section] = page.split('\n### create_order\n')
  const [, status, list] = /Refused by the rules: (\d+): ([^.]*)\./.exec(section!) ?? []
  const documented = new Map(list!.split(', ').map((each) => each.split(' ') as [string, string]))
  const frozen = { window_ms: 1_000, frozen_ms: 0, max_amount: '0.01' }
  dataOf(await live.api.signed(maker, '/account/mmp/set', { symbol: 'BTC', ...frozen }))
  const order = { symbol: 'BTC', side: 'ask', price: '105000', amount: '0.01', reduce_only: false }
  await live.order(maker, { ...order, tif: 'ALO', mmp: true })
  await live.order(await live.trader(), { ...order, side: 'bid', tif: 'IOC' })
  for (const [name, fields] of [
    ['INVALID_TIME', { expire_time: 1 }],
    ['INVALID_ORDER_TYPE', { expire_time: 1, tif: 'IOC' }],
    ['INVALID_TICK_LEVEL', { price: '0' }],
    ['MMP_FROZEN', { tif: 'ALO', mmp: true }],
  ] as const) {
    const wish = { ...order, tif: 'GTC', ...fields }
    const answer = await live.api.signed(maker, '/orders/create', wish)
    const { error, code } = answer.body as { error: string; code: number }
    assert.ok(error.startsWith(`${name}: `) && documented.has(name), error)
    assert.deepEqual(
      [`${answer.status}`, `${code}`],
      [status, documented.get(name) ?? status],
      name,
    )
  }
})

test('every example is accepted as printed, or lacks only the documented prior state', async () => {
  const names = apiOperations('sandbox').map(({ name }) => name)
  assert.deepEqual(
    names.filter((name) => !lines.has(name)),
    ['create_subaccount'],
  )
  const wrong: string[] = []
  for (const [name, line] of lines) {
    assert.ok(needs[name] === undefined || needsFirst[name] !== undefined, name)
    if (name.includes('agent')) await answerTo(lines.get('bind_agent_wallet')!)
    const answer = await answerTo(line)
    const isGood = answer === null ? needs[name] === undefined : needs[name]?.test(answer)
    if (isGood !== true) wrong.push(`${name}: ${answer}`)
  }
  assert.deepEqual(wrong, [])
})

test('every field of a level, a leg and a quote is on the page', () => {
  for (const row of [
    '`stop_loss.trailing_percent`? | string or null',
    '`take_profit.client_order_id`? | string or null',
    '`legs.trigger_direction`? | gte, lte or null',
    '`mmp`? | boolean or null',
    '`data` of a Quote',
  ])
    assert.ok(page.includes(`| ${row} |`), row)
})
