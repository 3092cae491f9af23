// The reference flow as signed commands, as from the gateway: a new text each time, and order ids
// that are known in advance, because no order is rejected.

import { createHash } from 'node:crypto'
import type { Command, Proof } from '../../src/core/commands/commands.ts'
import type { AccountId, MarketId, OrderId } from '../../src/core/commands/ids.ts'
import type { Lots, MicroTicks, Quote, Ticks, TimeMs } from '../../src/units/units.ts'
import { ACCOUNTS, CANCEL, type Flow, IOC, MIDDLE, MODIFY, makeFlow } from '../flow.ts'
import { tickCommand } from '../load-run.ts'
import { params } from '../market.ts'

/** A full hour, so that a short run has no funding epoch. */
export const START_MS = 1_750_003_200_000
const expiryMs = 30_000
const COMMANDS_PER_MS = 10
const COMMANDS_PER_TICK = 1_000
/** Reserved accounts and the backstop come first. */
const FIRST_ACCOUNT = 5
const MARKET = 1 as MarketId

export function listing(symbol: string, oracleTicks: number): Command {
  return {
    type: 'ListMarket',
    params: { ...params, symbol, backstopAddress: `backstop ${symbol}` },
    oracle: (oracleTicks * 1_000_000) as MicroTicks,
  }
}

export function deposit(address: string, amount: number): Command {
  return { type: 'Deposit', address, amount: amount as Quote, reference: `for ${address}` }
}

/** A market and funded accounts. */
export function* opening(): Generator<Command> {
  yield listing('BTC-USD', MIDDLE)
  for (let n = 0; n < ACCOUNTS; n++) yield deposit(`trader-${n}`, 4e12)
}

export class SignedFlow {
  private readonly flow: Flow
  private readonly hashes: readonly string[]
  private readonly clock: { atMs: number }
  private texts = 0

  constructor(commands: number, clock: { atMs: number }) {
    this.flow = makeFlow({ commands, seed: 42, prefill: 10_000 })
    this.clock = clock
    // Made before the measurement. A change of an order is two commands.
    this.hashes = Array.from({ length: this.flow.count * 2 }, (_, n) =>
      createHash('sha256').update(`text ${n}`).digest('base64url'),
    )
  }

  *commands(): Generator<Command> {
    const { flow, clock } = this
    const orders = new Float64Array(flow.idEnd)
    let placed = 0
    for (let i = 0; i < flow.count; i++) {
      clock.atMs = START_MS + Math.floor(i / COMMANDS_PER_MS)
      if (i % COMMANDS_PER_TICK === 0) yield tickCommand(1, MIDDLE + (i % 7), false)
      const type = flow.type[i]
      if (type === CANCEL || type === MODIFY) yield this.cancel(i, orders[flow.order[i]!]!)
      if (type === CANCEL) continue
      orders[flow.order[i]!] = ++placed
      yield this.place(i)
    }
  }

  private cancel(i: number, order: number): Command {
    return {
      type: 'CancelOrder',
      account: (FIRST_ACCOUNT + this.flow.account[i]!) as AccountId,
      proof: this.proof(),
      market: MARKET,
      order: order as OrderId,
      clientOrderId: null,
    }
  }

  private place(i: number): Command {
    const { flow } = this
    return {
      type: 'PlaceOrder',
      account: (FIRST_ACCOUNT + flow.account[i]!) as AccountId,
      proof: this.proof(),
      market: MARKET,
      side: flow.side[i] === 0 ? 'bid' : 'ask',
      price: flow.price[i]! as Ticks,
      size: flow.size[i]! as Lots,
      tif: flow.type[i] === IOC ? 'IOC' : 'GTC',
      reduceOnly: false,
      clientOrderId: null,
      takeProfit: null,
      stopLoss: null,
    }
  }

  private proof(): Proof {
    const { atMs } = this.clock
    const textHash = this.hashes[this.texts++]!
    const expiresAtMs = (atMs + expiryMs) as TimeMs
    const times = { signedAtMs: atMs as TimeMs, expiresAtMs }
    // The other build may still require the arrival time of the text.
    const older = { receivedAtMs: atMs }
    return { textHash, ...times, ...older, agent: null, ip: null } as Proof
  }
}
