// Every list of the API keeps two promises: `format=csv` returns the same rows as a table or is
// rejected by name, and a `limit` above the maximum counts as the maximum.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newKey } from '../../../src/client/key.ts'
import { adminOperations } from '../../../src/gateway/admin/admin-operations.ts'
import { routeSchemas } from '../../../src/protocol/route-schemas.ts'
import { pathField, type Route, type RouteName, routes } from '../../../src/protocol/routes.ts'
import { AdminClient } from '../../support/http/admin-client.ts'
import { type Answer, bare, dataOf, type Query, type Row } from '../../support/http/api-client.ts'
import { frozenSandbox } from '../../support/http/live-exchange.ts'
import { patiently } from '../../support/http/patiently.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
const admin = new AdminClient(live)
const int64Max = '9223372036854775807'

/** A value of each parameter that some route requires. */
const given: Record<string, string | number> = {
  symbol: 'BTC',
  interval: '1m',
  start_time: 0,
  time_range: '1d',
}

/** Headers of the owner of the account: some reads are only for it. */
const owner: Record<string, string> = {}

/** Without reads of one object, which is named in the path, and without signed statements. */
const gets = Object.values(routes).filter(
  ({ http }) =>
    http.startsWith('GET') && pathField(http) === null && !/\/(receipts|checkpoints)/.test(http),
)
const pathOf = ({ http }: Pick<Route, 'http'>) => http.split(' ')[1]!

type Properties = Readonly<Record<string, { anyOf?: readonly { maximum?: number }[] }>>
type RequestSchema = Readonly<{ properties: Properties; required?: readonly string[] }>

const schemaOf = (name: RouteName) => routeSchemas[name].request as unknown as RequestSchema

function requiredOf({ required = [] }: RequestSchema): Query {
  const query = required.map((name): [string, string | number] => {
    const value = given[name]
    assert.ok(value !== undefined, `no value of ${name} is known to this test`)
    return [name, value]
  })
  return Object.fromEntries(query)
}

/** Events of an order need one of two names of it, so the schema requires neither. */
const queryOf = (name: RouteName): Query =>
  name === 'get_order_events' ? { order_id: 1 } : requiredOf(schemaOf(name))

before(async () => {
  const [alice, bob] = [await live.trader('10000'), await live.trader('1000000')]
  const agent_wallet = newKey().address
  Object.assign(given, { account: alice.address, agent_wallet })
  dataOf(await api.signed(alice, '/agent/bind', { agent_wallet }))
  const { data } = bare<{ data: Row }>(await api.signed(alice, '/account/api_keys/create'))
  Object.assign(owner, { 'svc-api-key': data.api_key })
  await live.price('BTC', '105000')
  for (const amount of ['0.1', '0.2', '0.15'])
    await live.trade({ buyer: alice, seller: bob, symbol: 'BTC', price: '105000', amount })
  const twap = { symbol: 'BTC', amount: '0.06', side: 'bid', reduce_only: false }
  const slices = { ...twap, slippage_percent: '5', duration_in_seconds: 60 }
  const { order_id } = dataOf(await api.signed(alice, '/orders/twap/create', slices))
  Object.assign(given, { order_id })
  const shown = { ...twap, price: '90000', display_amount: '0.02' }
  dataOf(await api.signed(alice, '/orders/iceberg/create', shown))
  dataOf(await live.sandbox('clock', { advance_ms: 2 * 3_600_000 }))
  const carol = await live.trader('3200')
  await live.price('BTC', '105000')
  await live.trade({ buyer: carol, seller: bob, symbol: 'BTC', price: '105000', amount: '1' })
  // Her equity is then below two thirds of her maintenance margin.
  await live.price('BTC', '102300')
  dataOf(await live.sandbox('clock', { advance_ms: 5_000 }))
})

/** Parses RFC 4180, as a spreadsheet does. */
function cellsIn(text: string): string[][] {
  const lines = text.split('\r\n')
  assert.equal(lines.pop(), '')
  return lines.map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
    ),
  )
}

async function csvOf(route: Route, query: Query): Promise<Response> {
  const search = new URLSearchParams({ ...query, format: 'csv' } as Record<string, string>)
  return patiently(() => fetch(`${live.url}/api/v1${pathOf(route)}?${search}`, { headers: owner }))
}

test('format=csv returns the rows of the JSON, or is rejected by name, on every read', async () => {
  const served: string[] = []
  for (const route of gets) {
    const { name, csv } = route
    const query = { ...queryOf(name), ...(csv ? { limit: 2 } : {}) }
    const json: Answer = await api.get(pathOf(route), query, owner)
    assert.equal(json.status, 200, json.text)
    const reply = await csvOf(route, query)
    const text = await reply.text()
    if (!csv) {
      assert.equal(reply.status, 400, `${name}: ${text}`)
      assert.match(
        (JSON.parse(text) as { error: string }).error,
        /^MALFORMED_REQUEST: .*\bformat\b/,
      )
      continue
    }
    assert.equal(reply.status, 200, text)
    assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8')
    const { data, next_cursor } = json.body as { data: Row[]; next_cursor: string | null }
    assert.equal(reply.headers.get('x-next-cursor'), next_cursor)
    assert.ok(data.length > 0, `${name} has rows here`)
    const [names, ...rows] = cellsIn(text)
    assert.deepEqual(
      rows,
      data.map((row) => names!.map((column) => `${row[column] ?? ''}`)),
      name,
    )
    for (const row of data)
      for (const field of Object.keys(row)) assert.ok(names!.includes(field), `${name}: ${field}`)
    served.push(name)
  }
  // Every list with a cursor and with rows.
  const pages = gets.filter(({ wraps, name }) => wraps === 'page' && !name.includes('spot'))
  assert.deepEqual(
    served,
    pages.map(({ name }) => name),
  )
})

test('a limit below 1 or not an integer is 400; above the maximum it is the maximum', async () => {
  const limited = gets.filter(({ name }) => 'limit' in schemaOf(name).properties)
  assert.ok(limited.length >= 18, `${limited.length}`)
  for (const route of limited) {
    const query = queryOf(route.name)
    const path = pathOf(route)
    for (const limit of ['0', '-1', '1.5', '1e3', 'many', '0x10', `-${int64Max}`]) {
      const reply = await api.get(path, { ...query, limit })
      assert.equal(reply.status, 400, `${path} ${limit}: ${reply.text}`)
      assert.match(String(reply.body.error), /^MALFORMED_REQUEST: .*\blimit\b/)
    }
    const { maximum } = schemaOf(route.name).properties.limit!.anyOf![0]!
    const rowsOf = async (limit: number | string) => {
      const { status, body, text } = await api.get(path, { ...query, limit })
      assert.equal(status, 200, `${path} ${limit}: ${text}`)
      return Array.isArray(body) ? (body as Row[]) : (body.data as Row[])
    }
    const most = await rowsOf(maximum!)
    for (const limit of [maximum! + 1, int64Max]) assert.deepEqual(await rowsOf(limit), most, path)
    assert.ok((await rowsOf(1)).length <= 1, path)
  }
})

test('a list that goes on by cursor rejects an offset by name', async () => {
  const pages = gets.filter(({ wraps }) => wraps === 'page')
  assert.ok(pages.some(({ name }) => name === 'get_trades'))
  for (const route of pages) {
    const { status, body } = await api.get(pathOf(route), { ...queryOf(route.name), offset: 1 })
    assert.equal(status, 400, route.name)
    assert.match(String(body.error), /^MALFORMED_REQUEST: offset 1 is not served/)
    const zero = await api.get(pathOf(route), { ...queryOf(route.name), offset: 0 })
    assert.equal(zero.status, 200, route.name)
  }
})

test('the lists for operators follow the same rules', async () => {
  for (const { http, request, name } of adminOperations.filter(({ http }) => /^GET/.test(http))) {
    const query = { ...requiredOf(request as unknown as RequestSchema), format: 'csv' }
    const reply = await admin.get(pathOf({ http }), query)
    assert.equal(reply.status, 400, name)
    assert.match(String(reply.body.error), /^MALFORMED_REQUEST: .*\bformat\b/)
  }
  const limited = adminOperations.filter(({ request }) => {
    return 'limit' in (request as unknown as RequestSchema).properties
  })
  assert.ok(limited.length >= 4)
  for (const { http, request } of limited) {
    const path = pathOf({ http })
    const query = requiredOf(request as unknown as RequestSchema)
    for (const limit of ['0', '1.5', 'many']) {
      const reply = await admin.get(path, { ...query, limit })
      assert.equal(reply.status, 400, `${path} ${limit}: ${reply.text}`)
      assert.match(String(reply.body.error), /\blimit\b/)
    }
    for (const limit of [100_000, int64Max])
      assert.equal((await admin.get(path, { ...query, limit })).status, 200, path)
  }
})
