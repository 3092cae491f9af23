// A second implementation of history, from the same events, as plain as possible: arrays of rows,
// searched from end to end. Written from history.ts and the rules, not from the store.

import { rejections } from '../../../src/core/commands/rejections.ts'
import type { Event, EventOf } from '../../../src/core/events/event-fields.ts'
import type { FillPart } from '../../../src/core/events/fills-of.ts'
import type {
  FillRow,
  OrderEventRow,
  OrderRow,
  Page,
  PositionHistoryQuery,
  TradeRow,
} from '../../../src/projections/history/history.ts'
import { sameClient } from '../../twin/units/numbers.ts'
import { partsOf, withoutMoney } from './naive-fills.ts'
import { type At, isOpen, partedLegs } from './naive-legs.ts'
import { aheadOfOrder, NaiveOptions, withoutOptions } from './naive-options.ts'
import { NaiveSight } from './naive-sight.ts'
import { actionOf, endings, fits } from './naive-words.ts'
import type { PlayedOutcome } from './played.ts'

type Order = { -readonly [K in keyof OrderRow]: OrderRow[K] }

export type NaiveRetention = Readonly<{
  churn: ReadonlySet<string>
  churnRows: number
  every: number
}>

type NaiveAlgo = Omit<EventOf<'AlgoPlaced'>, 'account'> & Readonly<{ account: string }>

export class NaiveHistory {
  private readonly sight = new NaiveSight()
  fills: FillRow[] = []
  readonly trades: TradeRow[] = []
  orders = new Map<number, Order>()
  readonly orderEvents: OrderEventRow[] = []
  private readonly byOrder = new Map<number, OrderEventRow[]>()
  readonly algos: NaiveAlgo[] = []
  readonly addresses: string[]
  private nextEvent = 1
  /** Signed lots by account and market; and as they were before the command. */
  private held: Readonly<Record<string, number>> = {}
  private heldBefore: Readonly<Record<string, number>> = {}
  /** Stops that were set without a size; those whose order has not filled say which it is. */
  private readonly wholeStops = new Map<number, Readonly<{ unarmed: boolean }>>()
  private readonly retention: NaiveRetention | null
  private readonly options = new NaiveOptions()

  constructor(reserved: readonly string[], retention: NaiveRetention | null = null) {
    this.addresses = ['', ...reserved]
    this.retention = retention
  }

  take({ seq, atMs, entry, events }: PlayedOutcome): void {
    const before = { fill: this.fills.at(-1)?.history ?? 0, event: this.nextEvent - 1 }
    this.heldBefore = this.held
    let isMarket = entry.kind === 'command' && entry.command.type === 'PlaceMarketOrder'
    events.forEach((event, index) => {
      if (event.type === 'BatchActionStarted' && entry.kind === 'command')
        isMarket = actionOf(entry.command, event.index) === 'PlaceMarketOrder'
      this.options.take(event)
      this.sight.take(event)
      const before = events.slice(0, index).findLast(({ type }) => !aheadOfOrder.has(type))
      this.takeEvent(event, { seq, atMs, isMarket, before, events, index })
    })
    const after = { seq, atMs, isMarket, before: undefined, events, index: events.length }
    for (const leg of partedLegs(this.orders, events)) {
      leg.oco = null
      this.record(leg, 'adjust', after)
    }
    if (this.retention !== null) this.prune(this.retention, before)
  }

  private takeEvent(event: Event, at: At): void {
    switch (event.type) {
      case 'AccountOpened':
        this.addresses[event.account] = event.address ?? ''
        return
      case 'Filled':
        return this.fill({ ...withoutMoney(event), order: 0, fee: 0 }, at)
      case 'Traded':
        return this.trade(event, at)
      case 'AlgoPlaced':
        this.algos.push({ ...event, account: this.addresses[event.account]! })
        return
      case 'OrderPlaced':
        return this.place(event, at)
      case 'StopPlaced':
        return this.placeStop(event, at)
      case 'OrderRested': {
        const order = this.orders.get(event.order)!
        if (order.price === event.price) return
        order.price = event.price
        return this.record(order, 'adjust', at)
      }
      case 'OrderReduced': {
        const order = this.orders.get(event.order)!
        order.cancelledLots += event.cancelled
        return this.record(order, 'adjust', at)
      }
      case 'OrderCancelled':
        return this.end(event, at)
      case 'StopArmed': {
        const order = this.orders.get(event.order)!
        order.cancelledLots = 0
        if (this.wholeStops.has(event.order)) this.wholeStops.set(event.order, { unarmed: false })
        return this.record(order, 'stop_parent_order_filled', at, event.extreme)
      }
      case 'StopReduced': {
        const order = this.orders.get(event.order)!
        order.cancelledLots = order.initialLots - event.size
        return this.record(order, 'adjust', at)
      }
      case 'StopTriggered': {
        const order = this.orders.get(event.order)!
        order.status = 'filled'
        return this.record(order, 'stop_triggered', at, event.extreme)
      }
      case 'OcoLinked':
        this.link(event.first, event.second, at)
        return this.link(event.second, event.first, at)
      default:
        return
    }
  }

  private link(id: number, oco: number, at: At): void {
    const order = this.orders.get(id)!
    if (!isOpen(order)) return
    order.oco = oco
    this.record(order, 'adjust', at)
  }

  private fill(event: FillPart, { seq, atMs }: At): void {
    const { account, counterparty, ...rest } = event
    const place = `${this.addresses[account]} ${event.market}`
    const left = (this.held[place] ?? 0) - event.entryLots
    this.held = { ...this.held, [place]: /^open/.test(event.kind) ? event.entryLots : left }
    const order = this.orders.get(event.order)
    this.fills.push({
      ...rest,
      seq,
      atMs,
      account: this.addresses[account]!,
      counterparty: this.addresses[counterparty]!,
      clientOrderId: order?.clientOrderId ?? null,
    })
  }

  private trade(event: EventOf<'Traded'>, at: At): void {
    const { history, market, price, lots, side, cause } = event
    const fills = partsOf(event)
    const first = fills[0]!
    for (const fill of fills) this.fill(fill, at)
    const { seq, atMs } = at
    this.trades.push({ history, seq, atMs, market, kind: first.kind, side, cause, price, lots })
    const remaining = [
      [event.takerOrder, event.takerRemaining],
      [event.makerOrder, event.makerRemaining],
    ] as const
    for (const [id, left] of remaining) {
      const order = this.orders.get(id)!
      order.filledLots += lots
      for (const fill of fills) if (fill.order === id) order.filledValue += fill.value
      order.status = left === 0 ? 'filled' : 'partially_filled'
      this.record(order, order.orderType === 'market' ? 'fulfill_market' : 'fulfill_limit', at)
    }
  }

  private place(event: EventOf<'OrderPlaced'>, at: At): void {
    const edits = event.origin === 'user' && event.parent !== 0
    const forced = event.origin !== 'user' && event.tif === 'IOC'
    const immediate = event.origin === 'user' && event.tif === 'IOC' && at.isMarket
    const { before } = at
    const replaces = edits && before?.type === 'OrderCancelled' && before.reason === 'replaced'
    const slice = event.origin === 'algo' && event.orderType === 'market'
    const order = this.open(event, at, {
      orderType: forced || immediate ? 'market' : 'limit',
      price: event.price,
      stopPrice: null,
      parent: event.parent === 0 || edits ? null : event.parent,
      oco: replaces ? this.orders.get(event.parent)!.oco : null,
      source: event.origin === 'algo' ? event.parent : null,
      turned: false,
    })
    const first = event.origin === 'trigger' ? 'stop_upgrade' : slice ? 'twap_triggered' : 'make'
    this.record(order, first, at)
    if (!replaces && event.origin !== 'trigger') return
    for (const level of this.orders.values()) {
      const live = level.status === 'open'
      if (level.parent !== event.parent || level.stopPrice === null || !live) continue
      level.parent = event.order
      level.source = null
      this.record(level, 'adjust', at)
    }
    if (order.oco !== null) this.link(order.oco, order.order, at)
  }

  private placeStop(event: EventOf<'StopPlaced'>, at: At): void {
    if (event.size === 0) this.wholeStops.set(event.order, { unarmed: !event.armed })
    const order = this.open(event, at, {
      orderType: event.orderType,
      price: event.limitPrice,
      stopPrice: event.stopPrice,
      parent: event.parent === 0 ? null : event.parent,
      oco: null,
      source: (this.orders.get(event.parent)?.stopPrice ?? null) === null ? null : event.parent,
      turned: /^stop_[lm][ai]/.test(event.orderType) && event.up !== (event.side === 'bid'),
    })
    this.record(order, 'stop_created', at, event.extreme)
  }

  private open(
    event: EventOf<'OrderPlaced'> | EventOf<'StopPlaced'>,
    { atMs }: At,
    more: Pick<Order, 'orderType' | 'price' | 'stopPrice' | 'parent' | 'oco' | 'source' | 'turned'>,
  ): Order {
    const order: Order = {
      ...more,
      order: event.order,
      clientOrderId: event.clientOrderId,
      account: this.addresses[event.account]!,
      market: event.market,
      side: event.side,
      initialPrice: more.price,
      initialLots: event.size,
      filledLots: 0,
      cancelledLots: 0,
      filledValue: 0,
      status: 'open',
      reduceOnly: event.reduceOnly,
      ...this.options.of(event.order),
      extreme: null,
      reason: null,
      createdAt: atMs,
      updatedAt: atMs,
    }
    this.orders.set(order.order, order)
    return order
  }

  private end(event: EventOf<'OrderCancelled'>, at: At): void {
    const order = this.orders.get(event.order)!
    order.initialLots = this.sizeOf(order)
    order.cancelledLots =
      order.stopPrice === null ? order.cancelledLots + event.remaining : order.initialLots
    order.status = event.reason === 'post_only_rejected' ? 'rejected' : 'cancelled'
    const code = Object.entries(rejections).find(([, one]) => one.code === event.rejection)
    order.reason = event.reason === 'refused' ? code![0] : event.reason
    this.sight.ended(event, order, at.atMs)
    this.record(order, endings[event.reason] ?? 'force_cancel', at)
  }

  private record(order: Order, event: OrderEventRow['event'], { atMs }: At, extreme = 0): void {
    order.extreme = extreme === 0 ? null : extreme
    order.updatedAt = atMs
    order.initialLots = this.sizeOf(order)
    const { initialPrice: _, reason: __, createdAt: ___, updatedAt: ____, ...fields } = order
    const { extreme: _____, ...row } = withoutOptions(fields)
    const { oco, turned } = order
    const unreleased = this.sight.isUnreleased(order.order)
    const step = { ...row, oco, turned, unreleased, id: this.nextEvent, event, atMs }
    this.orderEvents.push(step)
    this.byOrder.set(order.order, [...(this.byOrder.get(order.order) ?? []), step])
    this.nextEvent += 1
  }

  /** Set without a size: as large as the position that it closes, was it not closed just now; and
   *  until its order fills, as large as that. */
  private sizeOf({ order, account, market, side, parent, initialLots }: Order): number {
    const whole = this.wholeStops.get(order)
    if (whole === undefined) return initialLots
    if (whole.unarmed) return this.orders.get(parent!)!.initialLots
    const sign = side === 'ask' ? 1 : -1
    const sizes = [this.held, this.heldBefore].map(
      (each) => sign * (each[`${account} ${market}`] ?? 0),
    )
    return sizes.find((lots) => lots > 0) ?? 0
  }

  private prune(
    { churn, churnRows, every }: NaiveRetention,
    before: Readonly<{ fill: number; event: number }>,
  ): void {
    const crossed = (from: number, to: number) => Math.floor(from / every) < Math.floor(to / every)
    for (const address of churn) {
      if (crossed(before.fill, this.fills.at(-1)?.history ?? 0)) {
        const mine = this.fills.filter(({ account }) => account === address)
        const gone = new Set(mine.slice(0, Math.max(0, mine.length - churnRows)))
        this.fills = this.fills.filter((row) => !gone.has(row))
      }
      if (crossed(before.event, this.nextEvent - 1)) {
        const mine = [...this.orders.values()].filter(({ account }) => account === address)
        for (const { order, status } of mine.slice(0, Math.max(0, mine.length - churnRows))) {
          if (status === 'open' || status === 'partially_filled') continue
          this.orders.delete(order)
          this.byOrder.delete(order)
        }
      }
    }
  }

  /** The client id of a fill is its order's, and gone when the order is. */
  private shown(row: FillRow): FillRow {
    return { ...row, clientOrderId: this.orders.get(row.order)?.clientOrderId ?? null }
  }

  positionHistory(query: PositionHistoryQuery): FillRow[] {
    const { account, offset, limit } = query
    return this.fills
      .filter((row) => account === null || row.account === account)
      .filter((row) => fits(row.market, row.atMs, query))
      .reverse()
      .slice(offset, offset + limit)
      .map((row) => this.shown(row))
  }

  fillPage(account: string, page: Page): FillRow[] {
    return this.fills
      .filter((row) => row.account === account && fits(row.market, row.atMs, page))
      .filter((row) => page.before === null || row.history < page.before)
      .reverse()
      .slice(0, page.limit)
      .map((row) => this.shown(row))
  }

  orderPage(account: string, page: Page): OrderRow[] {
    return [...this.orders.values()]
      .filter((row) => row.account === account && fits(row.market, row.createdAt, page))
      .filter(({ order }) => page.before === null || order < page.before)
      .filter((row) => this.sight.shows(row, page.sight))
      .reverse()
      .slice(0, page.limit)
  }

  eventsOf(order: number): OrderEventRow[] {
    return (this.byOrder.get(order) ?? []).toReversed()
  }

  ofClientId(account: string, clientOrderId: string, before: number | null): number | null {
    const ofTwap = (row: object) => 'kind' in row && row.kind === 'twap'
    const named = [...this.orders.values(), ...this.algos]
      .filter((row) => row.account === account && sameClient(clientOrderId, row.clientOrderId))
      .filter((row) => before === null || row.order < before)
      .sort((one, other) => other.order - one.order)
    return (named.find((row) => !ofTwap(row)) ?? named[0])?.order ?? null
  }
}
