// Every frame says what was so at the place in history that it names.

import assert from 'node:assert/strict'
import type { Event } from '../../../src/core/events/event-fields.ts'
import type { ExchangeView } from '../../../src/core/index.ts'
import type { OrderEventRow, OrderRow } from '../../../src/projections/history/history.ts'
import {
  averagePriceText,
  microPriceText,
  moneyText,
  ppbText,
  priceText,
  sizeText,
} from '../../../src/projections/market-text.ts'
import type { ChannelName } from '../../../src/protocol/streams/channels.ts'
import * as expected from './expected-facts.ts'
import type { Moment } from './moment.ts'
import { type Frame, type Row, rowsOf } from './readers.ts'

/** What the stepped core came to in one batch: a moment a command, and at its end how it stands. */
export type Stepped = Readonly<{
  moments: readonly Moment[]
  /** Steps of orders, by seq. */
  steps: ReadonlyMap<number, readonly OrderEventRow[]>
  /** What an order was placed with. */
  orderOf: (order: number) => OrderRow
  /** After the last command. */
  view: ExchangeView
}>

type Placed = Readonly<{ seq: number; row: Row }>

/** Channels that publish events, each with the row it publishes of an event to an account. */
const ofAccounts: Readonly<
  Partial<
    Record<ChannelName, (event: Event, account: number, params: expected.Params) => readonly Row[]>
  >
> = {
  accountTransfers: expected.transferRows,
  accountLiquidations: expected.liquidationRows,
  accountMargin: (event, account, params) =>
    event.type === 'MarginModeSet' ? expected.settingRows(event, account, params) : [],
  accountLeverage: (event, account, params) =>
    event.type === 'LeverageSet' ? expected.settingRows(event, account, params) : [],
  userTradeHistory: (event, account, params) =>
    expected
      .partsIn(event)
      .filter((part) => part.account === account)
      .map((part) => expected.fillRow(part, params)),
}

const orderChannels: readonly ChannelName[] = ['accountOrderUpdates', 'orders']

/** Frames of one batch, those that a subscription begins with apart. */
export function checkFacts(
  frames: readonly Frame[],
  { moments, steps, orderOf, view }: Stepped,
  /** From which seq on each account is read. */
  since: ReadonlyMap<string, number>,
): void {
  const params: expected.Params = (market) => view.markets.paramsOf(market)
  const published = new Map<string, Placed[]>()
  for (const frame of frames)
    for (const row of rowsOf(frame)) {
      const { key } = frame.topic
      published.set(key, [...(published.get(key) ?? []), { seq: frame.li, row }])
    }
  const compare = (key: string, wanted: readonly Placed[]) => {
    const got = published.get(key) ?? []
    const like = got.map(({ seq, row }, at) => ({
      seq,
      row: expected.picked(row, wanted[at]?.row ?? row),
    }))
    assert.deepEqual(like, wanted, key)
  }
  for (const [address, from] of since) {
    const account = view.accounts.idOf(address)
    const fresh = moments.filter(({ seq }) => seq > from)
    for (const [channel, rows] of Object.entries(ofAccounts)) {
      const wanted = fresh.flatMap(({ seq, events }) =>
        events.flatMap((event) => rows(event, account, params).map((row) => ({ seq, row }))),
      )
      compare(`${channel} ${address}`, wanted)
    }
    const changes = fresh.flatMap(({ seq }) =>
      (steps.get(seq) ?? []).flatMap((step) => (step.account === address ? [{ seq, step }] : [])),
    )
    for (const channel of orderChannels) {
      const wanted = changes.map(({ seq, step }) => ({
        seq,
        row: orderRowOf(channel, step, params),
      }))
      compare(`${channel} ${address}`, wanted)
      for (const { row } of published.get(`${channel} ${address}`) ?? [])
        checkOptions(row, orderOf(row.i as number), params)
    }
    checkTwaps(published.get(`accountTwapOrderUpdates ${address}`) ?? [], fresh, params)
  }
  checkMarkets(published, moments, params)
}

/** What few orders have is absent from the rows of the others. */
function checkOptions(row: Row, order: OrderRow, params: expected.Params): void {
  assert.equal(row.expire_time, order.expireTime ?? undefined)
  assert.equal(row.mmp, order.mmp || undefined)
  assert.equal(row.trigger_direction !== undefined, order.turned)
  assert.ok(row.oco_order_id === undefined || order.oco !== null)
  const trailing = row.trailing as Row | undefined
  const { trailDistance, trailPpm, trailActivation } = order
  const trails = trailDistance !== null || trailPpm !== null
  assert.equal(trailing !== undefined, trails)
  const of = params(order.market)
  const text = (ticks: number | null) => (ticks === null ? null : priceText(of, ticks))
  if (trailing === undefined) return
  assert.equal(trailing.trailing_distance, text(trailDistance))
  assert.equal(trailing.activation_price, text(trailActivation))
  assert.equal(Number(trailing.trailing_percent ?? 0) * 10_000, trailPpm ?? 0)
}

function orderRowOf(channel: ChannelName, step: OrderEventRow, params: expected.Params): Row {
  const row = expected.orderRow(step, params)
  const { c: _, ...update } = row
  if (channel === 'accountOrderUpdates') return update
  const of = params(step.market)
  const isOpen = step.status === 'open' || step.status === 'partially_filled'
  const left = isOpen ? step.initialLots - step.filledLots - step.cancelledLots : 0
  return { i: step.order, p: row.ip, a: row.a, r: sizeText(of, left) }
}

/** The last step of a command says what the core has then; one that has ended has gone. */
function checkTwaps(
  published: readonly Placed[],
  moments: readonly Moment[],
  params: expected.Params,
): void {
  const last = new Map(published.map((each) => [`${each.seq} ${each.row.order_id}`, each]))
  for (const { seq, row } of last.values()) {
    const moment = moments.find((each) => each.seq === seq)!
    const twap = moment.twaps.get(row.order_id as number)
    if (twap === undefined) continue
    const market = marketOfTwap(moments, row.order_id as number)
    if (market !== undefined)
      assert.equal(row.filled_amount, sizeText(params(market), twap.filled), `TWAP at ${seq}`)
    assert.equal(row.total_filled_value, moneyText(twap.value), `TWAP at ${seq}`)
    assert.equal(row.past_sub_order_count, twap.done, `TWAP at ${seq}`)
  }
}

function marketOfTwap(moments: readonly Moment[], id: number): number | undefined {
  for (const { events } of moments)
    for (const event of events) if ('algo' in event && event.algo === id) return event.market
  return undefined
}

/** Trades, forced closes, and the top of the book as it was after what touched it last. */
function checkMarkets(
  published: ReadonlyMap<string, readonly Placed[]>,
  moments: readonly Moment[],
  params: expected.Params,
): void {
  const wanted = (rows: (event: Event) => readonly Row[]) =>
    moments.flatMap(({ seq, events }) =>
      events.flatMap((event) => rows(event).map((row) => ({ seq, row }))),
    )
  const like = (got: readonly Placed[], to: readonly Placed[]) =>
    got.map(({ seq, row }, at) => ({ seq, row: expected.picked(row, to[at]?.row ?? row) }))
  const forced = wanted((event) => expected.forcedRows(event, params))
  assert.deepEqual(like(published.get('liquidations') ?? [], forced), forced)
  for (const [key, rows] of published) {
    const [channel, of] = key.split(' ')
    const market = Number(of)
    if (channel === 'trades') {
      const trades = wanted((event) =>
        event.type === 'Traded' && event.market === market ? expected.tradeRows(event, params) : [],
      )
      assert.deepEqual(like(rows, trades), trades, key)
    }
    if (channel !== 'bbo') continue
    for (const { seq, row } of rows) {
      const moment = moments.find((each) => each.seq === seq)!
      const { bid, ask } = moment.tops.get(market)!
      const text = (price: number, lots: number) =>
        price === 0
          ? [null, null]
          : [priceText(params(market), price), sizeText(params(market), lots)]
      assert.deepEqual([row.b, row.B], text(bid.price, bid.lots), `bids at ${seq}`)
      assert.deepEqual([row.a, row.A], text(ask.price, ask.lots), `asks at ${seq}`)
      assert.deepEqual([row.li, row.t], [seq, moment.atMs])
    }
  }
}

/** Channels that show the present: frames of the batch are of its last command. */
export function checkStates(frames: readonly Frame[], view: ExchangeView, seq: number): void {
  for (const frame of frames) {
    const { topic } = frame
    const check = states[topic.channel]
    // A list that had to wait may come behind its batch, and a later one follows it.
    const isEarlier = topic.channel === 'accountOrders' && frame.li < seq
    if (check === undefined || isEarlier) continue
    assert.equal(frame.li, seq, topic.key)
    check(frame, view)
  }
}

type StateCheck = (frame: Frame, view: ExchangeView) => void

const states: Readonly<Partial<Record<ChannelName, StateCheck>>> = {
  accountData(frame, view) {
    const [row] = rowsOf(frame)
    const account = view.accounts.idOf(row!.u as string)
    const numbers = view.accounts.numbersOf(account)
    assert.deepEqual(
      [row!.b, row!.pb, row!.ae, row!.ce, row!.as, row!.aw, row!.mu, row!.cm],
      [
        ...[numbers.balance, numbers.pending, numbers.equity, numbers.crossEquity].map(moneyText),
        ...[numbers.spendable, numbers.withdrawable, numbers.marginUsed].map(moneyText),
        moneyText(numbers.crossMaintenance),
      ],
      frame.topic.key,
    )
    const counts = [numbers.orders, numbers.positions, numbers.stops, numbers.feeTier]
    assert.deepEqual([row!.oc, row!.pc, row!.sc, row!.f], counts, frame.topic.key)
    assert.deepEqual([row!.t, row!.li], [view.atMs, frame.li])
  },
  accountOrders(frame, view) {
    if (frame.topic.of !== 'account') return
    const open = view.orders.openOf(view.accounts.idOf(frame.topic.address))
    const wanted = open.toReversed().map((order) => {
      const params = view.markets.paramsOf(order.market)
      const [a, f, c] = [order.initialLots, order.filledLots, order.cancelledLots]
      return {
        ...{ i: order.order, I: order.clientOrderId, s: params.symbol, d: order.side },
        ...{ a: sizeText(params, a), f: sizeText(params, f), c: sizeText(params, c) },
        li: frame.li,
      }
    })
    const got = rowsOf(frame).map((row, at) => expected.picked(row, wanted[at] ?? row))
    assert.deepEqual(got, wanted, frame.topic.key)
    for (const { p, ip, f } of rowsOf(frame)) if (f === '0') assert.equal(p, ip)
  },
  positions(frame, view) {
    if (frame.topic.of !== 'account') return
    const account = view.accounts.idOf(frame.topic.address)
    const wanted = view.positions.of(account).map((position) => {
      const { params, lots, cost, isolated, margin } = position
      const { addedMargin, fundingPaid, liquidationPrice } = position
      return {
        s: params.symbol,
        a: sizeText(params, Math.abs(lots)),
        p: averagePriceText(params, cost, lots),
        m: isolated ? moneyText(margin) : '0',
        am: moneyText(addedMargin),
        f: moneyText(fundingPaid),
        lt: liquidationPrice,
      }
    })
    const got = rowsOf(frame).map((row) => expected.picked(row, wanted[0] ?? {}))
    assert.deepEqual(got, wanted, frame.topic.key)
  },
  accountMmp(frame, view) {
    if (frame.topic.of !== 'account') return
    const wanted = view.accounts
      .mmpOf(view.accounts.idOf(frame.topic.address))
      .map(({ market, maxLots, until, windowMs }) => {
        const params = view.markets.paramsOf(market)
        const max_amount = maxLots === null ? null : sizeText(params, maxLots)
        const limits = { window_ms: windowMs, max_amount, frozen_until: until }
        return { symbol: params.symbol, ...limits, t: view.atMs, li: frame.li }
      })
    const got = rowsOf(frame).map((row) => expected.picked(row, wanted[0] ?? {}))
    assert.deepEqual(got, wanted, frame.topic.key)
  },
  accountTwapOrders(frame, view) {
    if (frame.topic.of !== 'account') return
    const twaps = view.orders.twapsOf(view.accounts.idOf(frame.topic.address))
    const wanted = new Map(twaps.map((twap) => [twap.order as number, twap]))
    assert.equal(rowsOf(frame).length, wanted.size, frame.topic.key)
    for (const row of rowsOf(frame)) {
      const { market, filledLots, filledValue } = wanted.get(row.order_id as number)!
      const params = view.markets.paramsOf(market)
      assert.equal(row.filled_amount, sizeText(params, filledLots))
      assert.equal(row.total_filled_value, moneyText(filledValue))
    }
  },
  prices(frame, view) {
    for (const row of rowsOf(frame)) {
      const market = view.markets.get(view.symbols.get(row.symbol as string)!)!
      const { params } = market
      assert.deepEqual(
        [row.mark, row.mid, row.oracle, row.open_interest, row.funding, row.next_funding],
        [
          priceText(params, market.mark),
          ...[market.mid, market.oracle].map((price) => microPriceText(params, price)),
          sizeText(params, market.openInterest),
          ...[market.fundingRate, market.nextFundingRate].map((rate) => ppbText(rate)),
        ],
      )
    }
  },
  marketStatus(frame, view) {
    for (const { symbol, status, mode, price_state } of rowsOf(frame)) {
      const market = view.markets.get(view.symbols.get(symbol as string)!)!
      assert.deepEqual([status, mode, price_state], [market.status, market.mode, market.priceState])
    }
  },
  book(frame, view) {
    if (frame.topic.of !== 'book') return
    const { market } = frame.topic
    const params = view.markets.paramsOf(market)
    const { bids, asks } = view.books.depth(market, 10, 1)
    const levels = [bids, asks].map((side) =>
      side.map(({ price, lots, orders }) => ({
        p: priceText(params, price),
        a: sizeText(params, lots),
        n: orders,
      })),
    )
    const { l, li, t } = frame.data as { l: unknown; li: number; t: number }
    assert.deepEqual(l, levels, frame.topic.key)
    assert.deepEqual([li, t], [frame.li, view.atMs])
  },
}
