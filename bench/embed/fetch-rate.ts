// Requests a second through `exchange.fetch`: orders, cancels and reads, each response read to its
// end.

import type { keyOfSeed } from '../../src/client/key.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import type { createExchange as Create, EmbeddedExchange } from '../../src/embed/embed.ts'
import type { SigningType } from '../../src/protocol/signing-types.ts'
import { waitedForCoreMs } from '../options.ts'

type Body = Readonly<Record<string, unknown>>
type Prepared = Readonly<{ path: string; init: RequestInit }>

const headers = { 'content-type': 'application/json' }
/** Requests in flight: a bot does not wait for one response before the next request. */
const abreast = 64

/** By the clock, and without the time in which other programs had this thread's core. */
export type FetchRate = Readonly<{ byClock: number; byWork: number }>

export async function fetchRate(
  createExchange: typeof Create,
  requests: number,
  verify: boolean,
): Promise<FetchRate> {
  const exchange = createExchange({ markets: ['BTC'], prices: 'held', verify, funds: '10000000' })
  const key = exchange.key('alice')
  exchange.trader('alice')
  const prepared: Prepared[] = []
  for (let at = 0; at < requests; at++) prepared.push(await request(exchange, at, verify, key))
  await send(exchange, prepared.slice(0, Math.min(2_000, requests >> 2)))
  const rest = prepared.slice(Math.min(2_000, requests >> 2))
  const start = performance.now()
  const waited = waitedForCoreMs()
  await send(exchange, rest)
  const passed = performance.now() - start
  const worked = passed - (waitedForCoreMs() - waited)
  await exchange.close()
  const rateIn = (ms: number) => (rest.length * 1_000) / ms
  return { byClock: rateIn(passed), byWork: rateIn(worked) }
}

async function send(exchange: EmbeddedExchange, prepared: readonly Prepared[]): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < prepared.length) {
      const { path, init } = prepared[next++]!
      const response = await exchange.fetch(path, init)
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
    }
  }
  await Promise.all(Array.from({ length: abreast }, worker))
}

/** Of eight requests six are orders, one cancels them all and one reads. */
async function request(
  exchange: EmbeddedExchange,
  at: number,
  verify: boolean,
  key: ReturnType<typeof keyOfSeed>,
): Promise<Prepared> {
  const { url } = exchange
  if (at % 8 === 7)
    return { path: `${url}/api/v1/positions?account=${key.address}`, init: { method: 'GET' } }
  const cancels = at % 8 === 6
  const type: SigningType = cancels ? 'cancel_all_orders' : 'create_order'
  const fields: Body = cancels
    ? { all_symbols: true, exclude_reduce_only: false }
    : {
        symbol: 'BTC',
        side: 'bid',
        price: String(90_000 + (at % 500)),
        amount: '0.01',
        tif: 'GTC',
        reduce_only: false,
      }
  const path = `${url}/api/v1/orders/${cancels ? 'cancel_all' : 'create'}`
  const timestamp = Date.now() + (at % 5_000)
  const body = verify
    ? await signedBody(key, fields, { type, timestamp, expiryWindow: 300_000 + at })
    : { ...fields, account: key.address }
  return { path, init: { method: 'POST', headers, body: JSON.stringify(body) } }
}
