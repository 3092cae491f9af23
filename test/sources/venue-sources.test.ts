// A venue that reads its prices itself, from servers on this machine, as it is configured and run.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { adminScopes } from '../../src/protocol/admin/admin-row.ts'
import { openingCommands, sandboxListings } from '../../src/sources/sandbox-markets.ts'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row, refused } from '../support/http/api-client.ts'
import { adminToken, liveExchange } from '../support/http/live-exchange.ts'
import { speeches } from '../support/price-sources/speeches.ts'
import { TickerServer } from '../support/price-sources/ticker-server.ts'

const { kraken, pyth, http } = speeches
const servers = [new TickerServer(kraken), new TickerServer(pyth), new TickerServer(http)] as const
const [onKraken, onPyth, onHttp] = await Promise.all(servers.map((server) => server.listen()))
const named = ([BTC, ETH]: readonly [string, string]) => ({ BTC, ETH })
const priceSources = [
  { kind: 'kraken', url: `ws://127.0.0.1:${onKraken}/v2`, symbols: named(kraken.symbols) },
  { kind: 'pyth', url: `http://127.0.0.1:${onPyth}`, token: 'x', symbols: named(pyth.symbols) },
  {
    ...{ kind: 'http', name: 'desk', everyMs: 250, symbols: named(http.symbols) },
    url: `http://127.0.0.1:${onHttp}/prices?key=1`,
  },
]
const tokens = `root:${adminToken}:${adminScopes.filter((each) => each !== 'prices').join('+')}`
const live = await liveExchange([
  ...['--mode', 'venue', '--admin-tokens', `${tokens},door:the-price-token-door:prices`],
  ...['--price-sources', JSON.stringify(priceSources)],
])
const admin = new AdminClient(live)

const say = (server: TickerServer, price: string) => {
  const speech = speeches[(['kraken', 'pyth', 'http'] as const)[servers.indexOf(server as never)]!]
  const words = speech.symbols.map((symbol) => speech.price({ symbol, price, atMs: Date.now() }))
  server.say(...words)
}
const saying = setInterval(() => {
  for (const [index, price] of ['105000.25', '105000.5', '150000'].entries())
    say(servers[index]!, price)
}, 50)

after(async () => {
  clearInterval(saying)
  await live.close()
  for (const server of servers) await server.close()
  for (const { faults } of servers) assert.deepEqual(faults, [])
})

type Prices = Readonly<{ sources: readonly Row[]; markets: readonly Row[] }>
const pricesNow = async () => dataOf<Prices>(await admin.get<never>('/prices'))

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const from = Date.now(); !(await isSo()); ) {
    assert.ok(Date.now() - from < 60_000, 'it takes too long')
    await new Promise((done) => setTimeout(done, 50))
  }
}

test('prices of a market that is not listed are refused, and counted', async () => {
  await until(async () => {
    const { sources } = await pricesNow()
    return sources.every((row) => row.source === 'door' || Number(row.refused) > 0)
  })
  const { sources, markets } = await pricesNow()
  assert.deepEqual(markets, [])
  const unlisted = sources.map((row) => row.unlisted)
  assert.deepEqual(unlisted, [[], ['BTC', 'ETH'], ['BTC', 'ETH'], ['BTC', 'ETH']])
})

test('a listed market is live at the median of its sources', async () => {
  const [listing] = openingCommands(sandboxListings.slice(0, 1))
  await live.running.exchange.submit(listing!)
  await until(async () => {
    const [market] = dataOf<{ markets: Row[] }>(await live.api.get('/info/risk')).markets
    const [price] = dataOf<Row[]>(await live.api.get('/info/prices'))
    return market?.status === 'live' && price?.oracle === '105000.5'
  })
})

test('GET /prices returns the status of each source, and its price of each market', async () => {
  let reply = await pricesNow()
  // A busy machine may miss an answer, and then says so until the next one comes.
  await until(async () => {
    reply = await pricesNow()
    const { sources, markets } = reply
    return markets[0]!.fresh_sources === 3 && sources.every(({ fault }) => fault === null)
  })
  const { sources, markets } = reply
  assert.deepEqual(
    sources.map(({ source, kind, state, weight, fault }) => [source, kind, state, weight, fault]),
    [
      ['door', 'push', 'push', 1, null],
      ['kraken', 'kraken', 'connected', 1, null],
      ['pyth', 'pyth', 'connected', 1, null],
      ['desk', 'http', 'connected', 1, null],
    ],
  )
  assert.equal(sources[0]!.price_age_ms, null)
  for (const source of sources.slice(1)) assert.ok(Number(source.accepted) > 0)
  const market = markets[0]!
  assert.deepEqual(
    [market.symbol, market.price, market.min_sources, market.fresh_sources],
    ['BTC', '105000.5', 2, 3],
  )
  assert.deepEqual(
    (market.sources as Row[]).map(({ source, price, fresh }) => [source, price, fresh]),
    [
      ['kraken', '105000.25', true],
      ['pyth', '105000.5', true],
      ['desk', '150000', true],
    ],
  )
  const token = new AdminClient(live, 'the-price-token-door')
  refused(await token.get('/prices'), { status: 403, says: /lacks the scope read/ })
})

test('openperp admin prices shows the same', async () => {
  const environment = { OPENPERP_ADMIN_URL: live.adminUrl, OPENPERP_ADMIN_TOKEN: adminToken }
  const shown = await openperp(['admin', 'prices'], { environment })
  assert.equal(shown.code, 0, shown.err)
  assert.match(shown.out, /^source +kind +state +weight +message +price +accepted +refused/m)
  assert.match(shown.out, /^kraken +kraken +connected +1 +[\d.]+ s +[\d.]+ s +\d+/m)
  assert.match(shown.out, /^door +push +push +1 +never +never +0 /m)
  assert.match(
    shown.out,
    /^BTC 105000\.5, (?:latency \d+ ms, )?3 fresh, 2 needed: kraken 105000\.25, pyth 105000\.5,/m,
  )
  assert.match(shown.out, /^desk: not listed: ETH$/m)
  const { code, json } = await openperpJson<Prices>(['admin', 'prices'], { environment })
  assert.deepEqual([code, json.sources.length, json.markets.length], [0, 4, 1])
  const run = (url: string, token: string) =>
    openperp(['admin', 'prices', '--admin-url', url], {
      environment: { OPENPERP_ADMIN_TOKEN: token },
    })
  assert.equal((await run(live.adminUrl, 'wrong')).code, 1)
  assert.equal((await run('http://127.0.0.1:9', 'x')).code, 3)
  const other = await openperp(['admin', 'weather'], { environment })
  assert.deepEqual([other.code, /admin has no weather/.test(other.err)], [2, true])
})

test('the metrics page has them', async () => {
  const headers = { authorization: `Bearer ${adminToken}` }
  const page = await (await fetch(`${live.adminUrl}/metrics`, { headers })).text()
  for (const line of [
    /^openperp_price_source_connected\{source="pyth",kind="pyth".*\} 1$/m,
    /^openperp_price_source_connected\{source="door",kind="push".*\} 0$/m,
    /^openperp_price_source_accepted_total\{source="desk",kind="http".*\} [1-9]\d*$/m,
    /^openperp_price_source_refused_total\{source="kraken",kind="kraken".*\} [1-9]\d*$/m,
    /^openperp_price_source_reconnects_total\{source="kraken".*\} 0$/m,
    /^openperp_price_source_message_age_seconds\{source="pyth".*\} [\d.e-]+$/m,
    /^openperp_price_fresh_sources\{market="BTC".*\} 3$/m,
    /^openperp_price_needed_sources\{market="BTC".*\} 2$/m,
  ])
    assert.match(page, line)
  assert.doesNotMatch(page, /openperp_price_source_price_age_seconds\{source="door"/)
  assert.match(page, /^# TYPE openperp_price_source_garbage_total counter$/m)
})

test('a subscription that a source refuses is shown with its reason', async () => {
  const [BTC] = kraken.symbols
  const error = `Currency pair not supported ${BTC}`
  servers[0].say(JSON.stringify({ method: 'subscribe', success: false, error }))
  const kept = async () => (await pricesNow()).sources.find(({ source }) => source === 'kraken')!
  await until(async () => ((await kept()).refusals as Row[]).length > 0)
  const { state, refusals } = await kept()
  assert.equal(state, 'connected', 'the other prices go on')
  assert.deepEqual(refusals, [{ markets: ['BTC'], reason: error }])
  const environment = { OPENPERP_ADMIN_URL: live.adminUrl, OPENPERP_ADMIN_TOKEN: adminToken }
  const { out } = await openperp(['admin', 'prices'], { environment })
  assert.ok(out.includes(`\nkraken: refused BTC: ${error}\n`), out)
})

test('a lost source is reported, and the others suffice', async () => {
  await servers[2].close()
  await until(async () => {
    const { sources, markets } = await pricesNow()
    const desk = sources.find(({ source }) => source === 'desk')!
    return desk.state !== 'connected' && desk.fault !== null && markets[0]!.fresh_sources === 2
  })
  assert.equal((await pricesNow()).markets[0]!.price, '105000.375')
})
