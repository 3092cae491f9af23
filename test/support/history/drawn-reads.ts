// Every read of the history, with arguments drawn from a played world: its accounts, orders, client
// ids and moments, and some that it does not have.

import type { AfterQuery, TradedQuery } from '../../../src/projections/history/history.ts'
import {
  type HistoryRead,
  type ReadArgs,
  type ReadName,
  readNames,
} from '../../../src/projections/history/reads.ts'
import { intervals } from '../../../src/units/intervals.ts'
import type { Random } from '../../programs/differential/random.ts'
import type { PlayedOutcome } from './played.ts'

const hourMs = 3_600_000
const marketsMax = 5

type Draws = { readonly [N in ReadName]: () => ReadArgs<N> }

export class DrawnReads {
  private readonly random: Random
  private readonly addresses: string[]
  private readonly orders = [1]
  private readonly clients = ['no such id']
  private readonly moments = [0]
  private readonly draws: Draws

  constructor(random: Random, reserved: readonly string[]) {
    this.random = random
    this.addresses = ['unknown', ...reserved]
    this.draws = this.drawsOf()
  }

  /** What may be read from now on. */
  learn({ atMs, events }: PlayedOutcome): void {
    this.moments.push(atMs)
    for (const event of events) {
      if (event.type === 'AccountOpened') this.addresses.push(event.address!)
      const { type } = event
      if (type !== 'AlgoPlaced' && type !== 'OrderPlaced' && type !== 'StopPlaced') continue
      this.orders.push(event.order)
      if (event.clientOrderId !== null) this.clients.push(event.clientOrderId)
    }
  }

  /** One of each. */
  all(): readonly HistoryRead[] {
    return readNames.map((name) => ({ name, args: this.draws[name]() }))
  }

  private drawsOf(): Draws {
    const { random } = this
    const account = () => random.pick(this.addresses)
    const market = () => random.between(1, marketsMax)
    const limit = () => random.pick([1, 3, 100])
    const before = () => (random.chance(0.5) ? null : random.below(2_000))
    const page = () => ({ ...this.stretch(), ...cursor(), market: this.maybe(market) })
    const cursor = () => ({ limit: limit(), before: before() })
    const order = () => random.pick(this.orders)
    return {
      positionHistory: () => {
        const offset = random.chance(0.5) ? 0 : random.below(300)
        return [{ ...page(), account: this.maybe(account), offset }]
      },
      completeAfter: () => [],
      stepsCompleteAfter: () => [],
      ...this.drawsAfter(account),
      ...this.explanationDraws({ account, market, order }),
      fills: () => [account(), page()],
      orders: () => [
        account(),
        { ...page(), sight: random.pick(['all', 'released', 'resting'] as const) },
      ],
      orderEvents: () => [order()],
      orderOfClientId: () => [account(), random.pick(this.clients)],
      filledValues: () => [[order(), order()]],
      trades: () => {
        const before = random.chance(0.5) ? null : 1 + random.below(1_000)
        return [market(), { ...this.stretch(), limit: limit(), before }]
      },
      minutes: () => [market(), Math.floor(this.moment() / 60_000)],
      candles: () => {
        const interval = random.pick(intervals)
        const kind = random.pick(['trade', 'mark'] as const)
        const endMs = this.moment() + random.below(hourMs)
        return [market(), { kind, interval, startMs: endMs - hourMs, endMs, limit: limit() }]
      },
      marketStates: () => {
        const { startMs, endMs } = this.stretch()
        const interval = random.pick(intervals)
        const before = this.maybe(() => this.moment())
        return [
          market(),
          { interval, startMs, endMs: endMs ?? this.moment(), before, limit: limit() },
        ]
      },
      liquidations: () => [{ ...page(), market: this.maybe(market) }],
      recentTrades: () => [limit()],
      recentMinutes: () => [0],
      fundingRates: () => [market(), cursor()],
      fundingPayments: () => [account(), cursor()],
      operatorActions: () => [cursor()],
      balances: () => [account(), cursor()],
      equity: () => {
        const endMs = this.moment()
        return [account(), { startMs: endMs - hourMs, endMs, stepMs: 300_000 }]
      },
      payments: () => [{ seq: random.below(2_000), place: random.below(2), limit: limit() }],
      statement: () => {
        const { startMs: fromMs, endMs: toMs } = this.stretch()
        return [account(), { fromMs, toMs, after: before(), limit: limit() }]
      },
      paymentsOf: () => [random.between(1, 9)],
      twaps: () => [account(), cursor()],
      twapSteps: () => [order()],
      algoSteps: () => [order()],
      algos: () => [account(), cursor()],
      beginning: () => [account()],
    }
  }

  /** Mostly a late one, because what was read last is what may be missing. */
  private moment(): number {
    return this.random.chance(0.7) ? this.moments.at(-1)! : this.random.pick(this.moments)
  }

  /** Those of explanations. */
  private explanationDraws({
    account,
    market,
    order,
  }: Readonly<{ account: () => string; market: () => number; order: () => number }>) {
    const { random } = this
    const traded = () => ({ market: market(), price: random.between(90, 110) })
    return {
      orderSeqs: (): [number] => [order()],
      extremes: (): [number, number] => [market(), this.moment()],
      tradedAt: (): [TradedQuery] => [{ ...traded(), sinceMs: this.moment() }],
      liquidationStart: (): [string, number] => [account(), random.below(2_000)],
    }
  }

  private drawsAfter(account: () => string) {
    const { random } = this
    const after = (): [string, AfterQuery] => [
      account(),
      { seq: random.below(2_000), limit: random.pick([1, 3, 100]) },
    ]
    return { fillsAfter: after, ledgerAfter: after, orderStepsAfter: after, twapsAfter: after }
  }

  private stretch() {
    const [early, late] = [this.moment(), this.moment()].sort((one, other) => one - other)
    return { startMs: this.maybe(() => early!), endMs: this.maybe(() => late!) }
  }

  private maybe<Value>(draw: () => Value): Value | null {
    return this.random.chance(0.5) ? null : draw()
  }
}
