// The requests of the load, signed before the run: every trader goes through a cycle of ten. Five
// are post-only orders away from the price, two are post-only orders nearer to it and four times as
// large as the one aggressive order of the cycle, so that it always fills; two cancel orders away
// from the price, which cannot have been filled. All ids and texts differ.

import { createHash } from 'node:crypto'
import { type Key, keyOfSeed } from '../../src/client/key.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import { priceText, sizeText } from '../../src/projections/market-text.ts'
import type { SigningType } from '../../src/protocol/signing-types.ts'
import { type Listing, sandboxListings } from '../../src/sources/sandbox-markets.ts'

/** The maximum of the exchange: signing and all rounds have to end within it. */
const expiryWindow = 600_000
/** In the last market positions are isolated only; the others are enough. */
const listings = sandboxListings.slice(0, 7)
const orderMicroDollars = 30_000_000
const nearSizes = 4
/** Parts of the price, per mille. */
const away = { from: 40, steps: 40 }
const near = { from: 20, steps: 10 }
const takes = 35

const cycle = ['away', 'away', 'near', 'take', 'cancel', 'cancel', 'away', 'near', 'away', 'away']
/** Number of requests between an order and its cancel. */
const cancelledAfter = 4
export const mixText = '70 % ALO, 10 % GTC that take, 20 % cancels'

type UnsignedRequest = Readonly<{
  type: SigningType
  path: string
  fields: Record<string, unknown>
}>

export class Trader {
  readonly key: Key
  private readonly at: number
  private sent = 0
  private readonly placed: { symbol: string; client_order_id: string }[] = []

  constructor(at: number) {
    this.at = at
    this.key = keyOfSeed(createHash('sha256').update(`bench trader ${at}`).digest())
  }

  /** The next request as the bytes to send. */
  async next(): Promise<Buffer> {
    const { path, body } = await this.signed()
    const text = JSON.stringify(body)
    const head = `POST /api/v1${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n`
    const length = `content-type: application/json\r\ncontent-length: ${text.length}\r\n`
    return Buffer.from(`${head}${length}\r\n${text}`)
  }

  async signed() {
    const { type, path, fields } = this.nextRequest()
    const body = await signedBody(this.key, fields, { type, timestamp: Date.now(), expiryWindow })
    return { type, path, body }
  }

  private nextRequest(): UnsignedRequest {
    const n = this.sent++
    const step = cycle[n % cycle.length]!
    if (step === 'cancel') {
      const fields = this.placed[n - cancelledAfter]!
      return { type: 'cancel_order', path: '/orders/cancel', fields }
    }
    const listing = listings[(this.at + n) % listings.length]!
    const { symbol } = listing.params
    const client_order_id = uuid(this.at, n)
    this.placed[n] = { symbol, client_order_id }
    const order = orderOf(listing, step, this.at * 7 + n)
    const fields = { symbol, ...order, reduce_only: false, client_order_id }
    return { type: 'create_order', path: '/orders/create', fields }
  }
}

function orderOf({ params, oracle }: Listing, step: string, n: number) {
  const bid = n % 2 === 0
  const start = oracle / 1_000_000
  const zone = step === 'near' ? near : away
  const perMille = step === 'take' ? -takes : zone.from + ((n * 31) % zone.steps)
  const price = Math.round((start * (bid ? 1_000 - perMille : 1_000 + perMille)) / 1_000)
  const unit = 10 ** (6 - params.tickSize.scale - params.lotSize.scale)
  const value = params.tickSize.value * params.lotSize.value * unit * start
  const lots = Math.ceil(orderMicroDollars / value) * (step === 'near' ? nearSizes : 1)
  return {
    side: bid ? 'bid' : 'ask',
    price: priceText(params, price),
    amount: sizeText(params, lots),
    tif: step === 'take' ? 'GTC' : 'ALO',
  }
}

function uuid(at: number, n: number): string {
  const hex = (value: number, length: number) => value.toString(16).padStart(length, '0')
  return `${hex(at, 8)}-0000-4000-8000-${hex(n, 12)}`
}
