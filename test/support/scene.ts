// One stage for two engines: every command goes through the core and through its naive twin, and
// after each of them events and views agree, the auditor finds no fault and no invariant is broken.
// A test says which commands run and what they emit; the scene compares everything else.

import assert from 'node:assert/strict'
import type { Command, CommandType, Level, Sequenced } from '../../src/core/commands/commands.ts'
import { type RejectionName, rejections } from '../../src/core/commands/rejections.ts'
import { apply, createState, EventLog, type State } from '../../src/core/engine.ts'
import type { Event, EventOf, EventType } from '../../src/core/events/event-fields.ts'
import { type FillPart, fillsOf } from '../../src/core/events/fills-of.ts'
import { checkInvariants } from '../../src/core/invariants.ts'
import type { Genesis } from '../../src/core/state/genesis.ts'
import { checkTouched } from '../../src/core/touched-checks.ts'
import { type ExchangeView, viewOf } from '../../src/core/view/exchange-view.ts'
import type { TimeMs } from '../../src/units/units.ts'
import type { Side } from '../../src/words/order-words.ts'
import { Auditor } from '../programs/differential/audit/auditor.ts'
import { difference, eventsDifference } from '../programs/differential/compare.ts'
import { applyNaive, createNaive, type Naive } from '../twin/engine.ts'
import { countingAgeOf } from '../twin/funding/funding.ts'
import { viewOfNaive } from '../twin/picture.ts'
import { BTC, paidTiers, paramsOf, START } from '../twin/scenario.ts'
import type { AccountView, MarketView, PositionView } from './picture.ts'
import { pictureOf } from './picture.ts'
import { genesisOf } from './scene-genesis.ts'

export { BTC, ETH, freeTiers, paidTiers, paramsOf, SOL, START } from '../twin/scenario.ts'

/** A command without the types that only the edge can vouch for; malformed ones are welcome. */
export type Plain = Readonly<{ type: CommandType } & Record<string, unknown>>
type More = Readonly<Record<string, unknown>>

/** An event, or as much of it as matters. */
export type Expected = { [T in EventType]: { type: T } & Partial<EventOf<T>> }[EventType]

export const marks: Readonly<Record<string, number>> = { BTC: 60_000, ETH: 30_000, SOL: 30_000 }

export const codeOf = (name: RejectionName): number => rejections[name].code

/** What a command caused. */
export class Outcome {
  readonly events: readonly Event[]

  constructor(events: readonly Event[]) {
    this.events = events
  }

  /** These events and no others, in this order; of each, the fields that are given. */
  emits(...expected: readonly Expected[]): this {
    const types = this.events.map(({ type }) => type)
    const wanted = expected.map(({ type }) => type)
    assert.deepEqual(types, wanted, this.toString())
    expected.forEach((each, at) => {
      assert.deepEqual(picked(this.events[at]!, each), each, this.toString())
    })
    return this
  }

  /** These among others, in this order. */
  includes(...expected: readonly Expected[]): this {
    let at = 0
    for (const event of this.events) {
      const wanted = expected[at]
      if (wanted !== undefined && fits(event, wanted)) at += 1
    }
    const missing = expected[at]
    assert.ok(missing === undefined, `${JSON.stringify(missing)} is not in ${this}`)
    return this
  }

  lacks(type: EventType): this {
    assert.deepEqual(this.all(type), [])
    return this
  }

  /** The answer is no, for this reason and with exactly these numbers. */
  refused(name: RejectionName, ...numbers: readonly number[]): this {
    const [first = 0, second = 0, third = 0] = numbers
    assert.ok(numbers.length <= rejections[name].numbers.length, `${name} has fewer numbers`)
    const rejection = { type: 'CommandRejected', rejection: name, first, second, third }
    assert.deepEqual(this.all('CommandRejected'), [rejection], this.toString())
    assert.equal(this.events.at(-1)?.type, 'CommandRejected', this.toString())
    return this
  }

  accepted(): this {
    return this.lacks('CommandRejected')
  }

  all<T extends EventType>(type: T): readonly EventOf<T>[] {
    return this.events.filter((event) => event.type === type) as unknown as EventOf<T>[]
  }

  one<T extends EventType>(type: T): EventOf<T> {
    const found = this.all(type)
    assert.equal(found.length, 1, `one ${type} in ${this}`)
    return found[0]!
  }

  /** What trades, forced transfers and settlements came to, side by side. */
  fills(): readonly FillPart[] {
    return this.events.flatMap(fillsOf)
  }

  /** The types, for the order of things. */
  types(): readonly EventType[] {
    return this.events.map(({ type }) => type)
  }

  toString(): string {
    return this.events.map((event) => JSON.stringify(event)).join('\n')
  }
}

function picked(event: Event, like: Expected): More {
  const fields = event as unknown as More
  return Object.fromEntries(Object.keys(like).map((key) => [key, fields[key]]))
}

function fits(event: Event, wanted: Expected): boolean {
  return JSON.stringify(picked(event, wanted)) === JSON.stringify(wanted)
}

export type Setting = Readonly<{
  /** Changes to the parameters of every market. */
  market?: More
  markets?: readonly string[]
  /** Whether a tick may have no time of observation (default: true). */
  pricesMayStand?: boolean
  tiers?: readonly Readonly<{ volumeDollars: number; makerPpm: number; takerPpm: number }>[]
  /** Deposits by name. */
  funds?: Readonly<Record<string, number>>
}>

export class Scene {
  readonly state: State
  readonly view: ExchangeView
  readonly naive: Naive
  readonly genesis: Genesis
  now = START
  /** Of the next commands (CORE-6). */
  stampMs = 0
  readonly ids: Record<string, number> = { fees: 1, insurance: 2, deficit: 3 }
  /** Every command so far, with its place. */
  readonly history: Sequenced[] = []
  private readonly log = new EventLog()
  private readonly auditor = new Auditor((market) => countingAgeOf(this.naive, market))
  private compares = true
  static watch: ((scene: Scene) => void) | null = null

  constructor(tiers: Setting['tiers'] = paidTiers, pricesMayStand = true) {
    this.genesis = genesisOf(tiers, pricesMayStand)
    this.state = createState(this.genesis)
    this.view = viewOf(this.state)
    this.naive = createNaive(this.genesis)
    Scene.watch?.(this)
  }

  /** Any command at all, through both engines. */
  run(plain: Plain): Outcome {
    const command = plain as unknown as Command
    const times = { atMs: this.now as TimeMs, stampMs: this.stampMs as TimeMs }
    const sequenced = { seq: this.state.seq + 1, ...times, command }
    this.history.push(sequenced)
    this.log.clear()
    apply(this.state, sequenced, this.log)
    checkTouched(this.state, command)
    const events = this.log.readAll()
    const twin = applyNaive(this.naive, sequenced)
    assert.equal(eventsDifference(events, twin), null, JSON.stringify(plain))
    assert.equal(this.auditor.check(events, this.now), null)
    if (this.compares) this.compare()
    for (const event of events)
      if (event.type === 'AccountOpened') this.ids[event.address ?? ''] = event.account
    return new Outcome(events)
  }

  /** Many commands of which only the events are compared; views and invariants once at the end. */
  quietly(work: () => void): void {
    this.compares = false
    work()
    this.compares = true
    this.compare()
  }

  private compare(): void {
    assert.equal(difference(pictureOf(this.state), viewOfNaive(this.naive)), null)
    assert.deepEqual(checkInvariants(this.state), [])
  }

  id(name: string): number {
    const id = this.ids[name]
    assert.ok(id !== undefined, `no account is named ${name}`)
    return id
  }

  list(symbol: string, change: More = {}): Outcome {
    const oracle = (marks[symbol] ?? 60_000) * 1_000_000
    return this.run({ type: 'ListMarket', params: paramsOf(symbol, change), oracle })
  }

  deposit(name: string, amount: number): Outcome {
    const reference = `${name}-${this.state.seq}`
    return this.run({ type: 'Deposit', address: name, amount, reference })
  }

  /** From the insurance fund to the backstop of a market. */
  reserve(amount: number, market = BTC): Outcome {
    const to = this.state.markets[market]!.backstop
    return this.run({ type: 'MoveReserve', from: this.id('insurance'), to, amount })
  }

  /** A command of an account. */
  own(name: string, type: CommandType, more: More = {}): Outcome {
    return this.run({ type, account: this.id(name), proof: null, ...more })
  }

  place(name: string, side: Side, size: number, price: number, more: More = {}): Outcome {
    return this.own(name, 'PlaceOrder', { ...orderOf(side, size, price), ...more })
  }

  bid(name: string, size: number, price: number, more: More = {}): Outcome {
    return this.place(name, 'bid', size, price, more)
  }

  ask(name: string, size: number, price: number, more: More = {}): Outcome {
    return this.place(name, 'ask', size, price, more)
  }

  /** A market order. */
  take(name: string, side: Side, size: number, more: More = {}): Outcome {
    const { price: _, tif: __, ...order } = orderOf(side, size, 0)
    return this.own(name, 'PlaceMarketOrder', { ...order, slippagePpm: 10_000, ...more })
  }

  stop(name: string, side: Side, level: Level, more: More = {}): Outcome {
    return this.own(name, 'PlaceStop', { market: BTC, side, reduceOnly: false, level, ...more })
  }

  cancel(name: string, order: number | null, more: More = {}): Outcome {
    return this.own(name, 'CancelOrder', { market: BTC, order, clientOrderId: null, ...more })
  }

  /** The taker buys all of it from the maker, whose order rested just before. */
  buys(taker: string, maker: string, size: number, price: number, market = BTC): Outcome {
    this.ask(maker, size, price, { market, tif: 'ALO' }).accepted()
    return this.bid(taker, size, price, { market, tif: 'IOC' }).accepted()
  }

  /** The taker sells all of it to the maker, whose order rested just before. */
  sells(taker: string, maker: string, size: number, price: number, market = BTC): Outcome {
    this.bid(maker, size, price, { market, tif: 'ALO' }).accepted()
    return this.ask(taker, size, price, { market, tif: 'IOC' }).accepted()
  }

  /** A price in ticks, as a feed sends it: clamped, and at most a few steps from the last. */
  tick(market: number, ticks: number, more: More = {}): Outcome {
    const price = Math.round(ticks * 1_000_000)
    return this.run({ type: 'OracleTick', market, price, observedAtMs: null, jump: false, ...more })
  }

  /** A price that was observed so long before now, with a jump. */
  seen(market: number, ticks: number, age = 0): Outcome {
    return this.tick(market, ticks, { jump: true, observedAtMs: this.now - age })
  }

  /** Oracle and mark jump there. */
  mark(market: number, ticks: number): Outcome {
    return this.tick(market, ticks, { jump: true })
  }

  /** Five good ticks at the present oracle: a feed that was lost is live again. */
  revive(market: number): void {
    const ticks = this.book(market).oracle / 1_000_000
    for (let good = 0; good < 5; good++) this.mark(market, ticks)
  }

  /** Time passes without a command. */
  later(ms: number): this {
    this.now += ms
    return this
  }

  /** Time passes, and the work that is due is done. */
  wait(ms: number): Outcome {
    return this.later(ms).run({ type: 'Tick' })
  }

  account(name: string): AccountView {
    return pictureOf(this.state).accounts[this.id(name) - 1]!
  }

  balance(name: string): number {
    return this.account(name).balance
  }

  position(name: string, market = BTC): PositionView | undefined {
    return this.account(name).positions.find((one) => one.market === market)
  }

  /** [lots, cost]. */
  held(name: string, market = BTC): readonly [number, number] {
    const { lots = 0, cost = 0 } = this.position(name, market) ?? {}
    return [lots, cost]
  }

  book(market = BTC): MarketView {
    return pictureOf(this.state).markets[market - 1]!
  }
}

/** An exchange with its markets and its deposits. */
export function given(setting: Setting = {}): Scene {
  const scene = new Scene(setting.tiers, setting.pricesMayStand)
  for (const symbol of setting.markets ?? ['BTC', 'ETH', 'SOL'])
    scene.list(symbol, setting.market).accepted()
  for (const [name, amount] of Object.entries(setting.funds ?? {}))
    scene.deposit(name, amount).accepted()
  return scene
}

export function orderOf(side: Side, size: number, price: number) {
  return {
    market: BTC,
    side,
    size,
    price,
    tif: 'GTC',
    reduceOnly: false,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
  } as const
}

/** A stop or level by mark price, for the whole position, at the market. */
export function levelAt(stopPrice: number, change: More = {}): Level {
  const level = { limitPrice: null, size: null, triggerBy: 'mark', clientOrderId: null }
  return { stopPrice, ...level, ...change } as unknown as Level
}

export function proofOf(textHash: string, at: number, change: More = {}) {
  const times = { signedAtMs: at, expiresAtMs: at + 10_000 }
  return { textHash, ...times, agent: null, ip: null, ...change }
}
