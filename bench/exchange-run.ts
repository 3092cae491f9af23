// The flow through the real exchange: every record becomes a plain command and goes through `apply`
// with margin, fees, self-trade prevention, order limits and the liquidation index, and every event
// is read once. One market, a thousand funded accounts, and an oracle that keeps moving.

import type { Command, Sequenced } from '../src/core/commands/commands.ts'
import type { AccountId, MarketId, OrderId } from '../src/core/commands/ids.ts'
import { apply, createState } from '../src/core/engine.ts'
import * as columns from '../src/core/events/event-columns.ts'
import { columnsOf, kindOfEvent } from '../src/core/events/event-columns.ts'
import { EventLog } from '../src/core/events/event-log.ts'
import type { Lots, MicroTicks, Ppm, Quote, Ticks, TimeMs } from '../src/units/units.ts'
import { ACCOUNTS, CANCEL, type Flow, hashTrade, IOC, MIDDLE, MODIFY } from './flow.ts'
import { params } from './market.ts'

const K = 10
const DEPOSIT = 4_000_000_000_000
/** A full hour, so that a run of 100 seconds of engine time has samples but no funding epoch. */
const START_MS = 1_750_003_200_000
const COMMANDS_PER_MS = 10
export const COMMANDS_PER_TICK = 1_000
const MARKET = 1 as MarketId
/** Up to this far from the middle, and this far from one tick to the next. */
const ORACLE_RANGE_PPM = 10_000
const ORACLE_STEP_PPM = 1_000

// As constants of this module they become part of the reading loop (docs/performance.md).
const { kindAt, nextAfter } = columns
const ORDER_PLACED = kindOfEvent('OrderPlaced')
const TRADED = kindOfEvent('Traded')
const COMMAND_REJECTED = kindOfEvent('CommandRejected')
const orderPlaced = columnsOf('OrderPlaced')
const traded = columnsOf('Traded')

export class ExchangeRun {
  readonly state = createState({
    pricesMayStand: true,
    feesAddress: 'fees',
    insuranceAddress: 'insurance',
    deficitAddress: 'deficit',
    feeTiers: [{ volumeDollars: 0, makerPpm: 150 as Ppm, takerPpm: 400 as Ppm }],
  })
  readonly log = new EventLog()
  readonly totals = { trades: 0, lots: 0, notional: 0n, hash: 0 }
  checksum = 0
  rejected = 0
  private readonly flow: Flow
  private readonly oracle: Float64Array
  /** By account of the flow. */
  private readonly accounts = new Int32Array(ACCOUNTS)
  /** By order id of the flow: its present id in the exchange. */
  private readonly orders: Int32Array
  private seq = 0
  private atMs = START_MS as TimeMs

  constructor(flow: Flow) {
    this.flow = flow
    this.oracle = oracleWalk(Math.ceil(flow.count / COMMANDS_PER_TICK))
    this.orders = new Int32Array(flow.idEnd)
    const oracle = (MIDDLE * 1_000_000) as MicroTicks
    this.submit({ type: 'ListMarket', params, oracle })
    for (let i = 0; i < ACCOUNTS; i++) {
      const amount = DEPOSIT as Quote
      this.submit({ type: 'Deposit', address: `trader-${i}`, amount, reference: `deposit-${i}` })
      this.accounts[i] = this.openedAccount()
    }
  }

  /** Records `from` up to `to`, with the oracle ticks among them. */
  run(from: number, to: number): void {
    for (let i = from; i < to; i++) {
      if (i % COMMANDS_PER_TICK === 0) this.tick(i)
      this.record(i)
    }
  }

  /** The same, each record and each tick timed by itself, in microseconds. */
  runTimed(from: number, to: number, samples: Float64Array): number {
    let count = 0
    for (let i = from; i < to; i++) {
      if (i % COMMANDS_PER_TICK === 0) {
        const start = performance.now()
        this.tick(i)
        samples[count++] = (performance.now() - start) * 1_000
      }
      const start = performance.now()
      this.record(i)
      samples[count++] = (performance.now() - start) * 1_000
    }
    return count
  }

  /** The same, with every trade folded into `totals` by the order ids of the flow. */
  runHashed(from: number, to: number, flowIds: Uint32Array): void {
    for (let i = from; i < to; i++) {
      if (i % COMMANDS_PER_TICK === 0) this.tick(i)
      this.record(i)
      if (this.flow.type[i] !== CANCEL) this.foldTrades(i, flowIds)
    }
    this.totals.hash >>>= 0
  }

  private tick(i: number): void {
    this.atMs = (START_MS + Math.floor(i / COMMANDS_PER_MS)) as TimeMs
    const price = this.oracle[i / COMMANDS_PER_TICK] as MicroTicks
    this.submit({ type: 'OracleTick', market: MARKET, price, observedAtMs: null, jump: false })
  }

  private record(i: number): void {
    const { flow } = this
    const type = flow.type[i]
    if (i % COMMANDS_PER_MS === 0) this.atMs = (START_MS + i / COMMANDS_PER_MS) as TimeMs
    if (type === CANCEL) this.cancel(i)
    else if (type === MODIFY) {
      this.cancel(i)
      this.place(i, 'GTC')
    } else this.place(i, type === IOC ? 'IOC' : 'GTC')
  }

  private cancel(i: number): void {
    const { flow } = this
    this.submit({
      type: 'CancelOrder',
      account: this.accounts[flow.account[i] as number] as AccountId,
      proof: null,
      market: MARKET,
      order: this.orders[flow.order[i] as number] as OrderId,
      clientOrderId: null,
    })
  }

  private place(i: number, tif: 'GTC' | 'IOC'): void {
    const { flow } = this
    const placed = this.submit({
      type: 'PlaceOrder',
      account: this.accounts[flow.account[i] as number] as AccountId,
      proof: null,
      market: MARKET,
      side: flow.side[i] === 0 ? 'bid' : 'ask',
      price: flow.price[i] as Ticks,
      size: flow.size[i] as Lots,
      tif,
      reduceOnly: false,
      clientOrderId: null,
      takeProfit: null,
      stopLoss: null,
    })
    this.orders[flow.order[i] as number] = placed
  }

  /** Applies a command and reads all its events; returns the id of the placed order, or 0. */
  private submit(command: Command): number {
    const { log } = this
    log.clear()
    const sequenced: Sequenced = { seq: ++this.seq, atMs: this.atMs, command }
    apply(this.state, sequenced, log)
    const { rows, end } = log
    let checksum = this.checksum
    let placed = 0
    for (let at = 0; at < end; at = nextAfter(rows, at)) {
      const kind = kindAt(rows, at)
      // Some numbers of the first line, of any meaning.
      const sum = (rows[at + 1] as number) + (rows[at + 4] as number) + (rows[at + 6] as number)
      checksum = (Math.imul(checksum, 31) + kind + sum) | 0
      if (kind === ORDER_PLACED) placed = rows[at + orderPlaced.order] as number
      else if (kind === COMMAND_REJECTED) this.rejected++
    }
    this.checksum = checksum
    return placed
  }

  private foldTrades(i: number, flowIds: Uint32Array): void {
    const { rows, end } = this.log
    const { totals } = this
    for (let at = 0; at < end; at = nextAfter(rows, at)) {
      const kind = kindAt(rows, at)
      if (kind === ORDER_PLACED) {
        flowIds[rows[at + orderPlaced.order] as number] = this.flow.order[i] as number
      }
      if (kind !== TRADED) continue
      const maker = flowIds[rows[at + traded.makerOrder] as number] as number
      const taker = flowIds[rows[at + traded.takerOrder] as number] as number
      const lots = rows[at + traded.lots] as number
      const price = rows[at + traded.price] as number
      totals.trades++
      totals.lots += lots
      totals.notional += BigInt(lots) * BigInt(price)
      totals.hash = hashTrade(totals.hash, { maker, taker, lots, price })
    }
  }

  private openedAccount(): number {
    const opened = this.log.readAll().find((event) => event.type === 'AccountOpened')
    if (opened === undefined) throw new Error('a deposit to a new address opened no account')
    return opened.account
  }
}

/** Oracle prices that move back and forth between the bounds: a small multiplier, not a clock,
 *  drives it. */
function oracleWalk(ticks: number): Float64Array {
  const prices = new Float64Array(ticks)
  let seed = 1
  let off = 0
  for (let i = 0; i < ticks; i++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    off += Math.floor((seed / 2 ** 32) * (2 * ORACLE_STEP_PPM + 1)) - ORACLE_STEP_PPM
    off = Math.max(-ORACLE_RANGE_PPM, Math.min(ORACLE_RANGE_PPM, off))
    prices[i] = MIDDLE * (1_000_000 + off)
  }
  return prices
}

/** Enough for every id that the exchange can assign on this flow. */
export function flowIdsOf(flow: Flow): Uint32Array {
  return new Uint32Array(2 * flow.count + 1)
}

export const worldText = `K ${K}, tick max ${params.tickMax}, leverage ${params.leverageMax}, ${
  DEPOSIT / 1_000_000
} USD on each of ${ACCOUNTS} accounts`
