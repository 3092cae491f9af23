// What has not happened to an open order: how far a stop is from its trigger price and how close it
// came, what a resting order waits for, and what an order that only reduces depends on.

import type { ExchangeView, MarketView, OpenOrder } from '../../core/index.ts'
import { formatDecimal } from '../../units/decimal.ts'
import { divFloor } from '../../units/rounding.ts'
import { MICRO_PER_TICK } from '../../units/units.ts'
import type { AllHistory } from '../history/history-of.ts'
import { counted, type MarketWords, type Pending, timeOf, wordsOf } from './explanation.ts'

/** The present state, and the history up to its seq. */
export type Present = Readonly<{ view: ExchangeView; seq: number; history: AllHistory }>

type Scene = Readonly<{
  present: Present
  account: number
  order: OpenOrder
  market: MarketView
  words: MarketWords
}>

/** Empty if the order is not open. */
export async function pendingOf(
  present: Present,
  account: number,
  id: number,
): Promise<readonly Pending[]> {
  const { view } = present
  const order = openOrderOf(view, account, id)
  if (order === undefined) return []
  const market = view.markets.get(order.market)!
  const words = wordsOf(market.params, market.unitValue)
  const scene = { present, account, order, market, words }
  const own = order.stopPrice === null ? await restingLines(scene) : await stopLines(scene)
  return [...own, ...reduceLines(scene), ...endLines(order)]
}

/** The open order with this id, or the order of the stop with this id that goes on. */
export function openOrderOf(
  { orders }: ExchangeView,
  account: number,
  id: number,
): OpenOrder | undefined {
  const open = orders.openOf(account)
  return (
    open.find(({ order }) => order === id) ??
    open.find(({ goesOn, parent }) => goesOn && parent === id)
  )
}

/** The price and the start of the first minute that had it. */
type Extreme = Readonly<{ price: number; at: number }>

const minuteMs = 60_000

/** The highest or lowest price of one-minute bars since a time, without the minute of that time,
 *  part of which was before it. `null` if there was none. */
async function extremeSince(
  { seq, history }: Present,
  {
    market,
    sinceMs,
    high,
    by,
  }: Readonly<{
    market: number
    sinceMs: number
    high: boolean
    by: 'mark' | 'last'
  }>,
): Promise<Extreme | null> {
  const from = Math.ceil(sinceMs / minuteMs) * minuteMs
  const row = (await history.extremes(seq, market, from))!
  const name = by === 'mark' ? (high ? 'markHigh' : 'markLow') : high ? 'high' : 'low'
  const [price, at] = [row[name], row[`${name}At`]]
  return price === null || at === null ? null : { price, at }
}

type Approach = Readonly<{ market: number; sinceMs: number; high: boolean; price: number }>

/** Text such as `since 2026-01-01T00:00:00.000Z the mark came closest at 96000 in the minute of …`.
 *  `high`: whether the price is approached from below. */
export async function closestText(
  present: Present,
  words: MarketWords,
  { by, ...approach }: Approach & Readonly<{ by: 'mark' | 'last' }>,
): Promise<string> {
  const { sinceMs, high, price } = approach
  const name = by === 'mark' ? 'mark' : 'last trade'
  const extreme = await extremeSince(present, { ...approach, by })
  const since = `since ${timeOf(sinceMs)}`
  if (extreme === null) return `${since} no full minute has a bar of the ${name}`
  const left = high ? price - extreme.price : extreme.price - price
  const far = left > 0 ? `${words.price(left)} short of it` : 'at or beyond it'
  const at = `${words.price(extreme.price)} in the minute of ${timeOf(extreme.at)}`
  return `${since} the ${name} came closest at ${at}, ${far}`
}

async function stopLines(scene: Scene): Promise<Pending[]> {
  const { order, market, words, present, account } = scene
  const { side, stopPrice, orderType, turned, armed, parent, trailing, triggerBy } = order
  const by = triggerBy ?? 'mark'
  const fires: Pending[] = []
  if (!armed)
    fires.push({ what: `not armed yet: waits for order ${parent} to fill`, rule: 'TRIG-5' })
  if (stopPrice === 0 || stopPrice === null) {
    const from = trailing?.activation ?? null
    const start = from === null ? 'its activation' : words.price(from)
    fires.push({
      what: `not fired yet: follows the mark only from ${start} on`,
      rule: 'TRIG-11',
    })
  } else {
    const up = ((side === 'bid') !== orderType.startsWith('take_profit')) !== turned
    const now = await priceNow(market, by, present)
    const away = up ? stopPrice - now : now - stopPrice
    const share = `${formatDecimal(divFloor(Math.abs(away) * 1_000_000, Math.max(1, now)), 4)} %`
    const condition = `${by} ${up ? '≥' : '≤'} ${words.price(stopPrice)}`
    const far =
      now === 0
        ? `there is no ${by} price`
        : away > 0
          ? `the ${by} is ${words.price(now)}, ${words.price(away)} or ${share} away`
          : `the ${by} is ${words.price(now)}, and the stop fires with the next check`
    fires.push({ what: `not fired yet: fires at ${condition}, and ${far}`, rule: 'TRIG-1' })
    const best = trailing?.extreme ?? null
    if (best !== null)
      fires.push({ what: `the best mark so far is ${words.price(best)}`, rule: 'TRIG-11' })
    else if (by !== 'mid') {
      const approach = { market: market.id, sinceMs: order.createdAt, high: up, price: stopPrice }
      const closest = await closestText(present, words, { ...approach, by })
      fires.push({ what: closest, rule: 'TRIG-1' })
    }
  }
  fires.push({
    what: firedText(scene, present.view.positions.lotsOf(account, market.id)),
    rule: 'TRIG-3',
  })
  return fires
}

/** 0 if there is no such price. */
async function priceNow(
  { id, mark, mid }: MarketView,
  by: string,
  { history, seq }: Present,
): Promise<number> {
  if (by === 'mark') return mark
  if (by === 'mid') return divFloor(mid, MICRO_PER_TICK)
  const newest = { limit: 1, startMs: null, endMs: null, before: null }
  return (await history.trades(seq, id, newest))[0]?.price ?? 0
}

/** What the order of a stop would be now. */
function firedText({ order, words }: Scene, lots: number): string {
  const { side, price, isWhole, reduceOnly } = order
  const closable = Math.max(0, side === 'ask' ? lots : -lots)
  const wanted = order.initialLots - order.cancelledLots
  const size = isWhole ? closable : reduceOnly ? Math.min(wanted, Math.abs(lots)) : wanted
  const at = price === 0 ? 'the market' : words.price(price)
  if (reduceOnly && closable === 0)
    return 'would place no order if it fired now, because it only reduces and there is no position'
  const left = lots + (side === 'bid' ? size : -size)
  const then = `filled, the position of ${words.size(lots)} would become ${words.size(left)}`
  return `would place if it fired now: ${side} ${words.size(size)} at ${at}; ${then}`
}

/** The order of a fired stop: what its last run left, and when it runs again. */
function runLines({ order, market, words, present }: Scene): Pending[] {
  const { order: id, side, initialLots, filledLots, cancelledLots } = order
  const { orders, books } = present.view
  const { limit, hasRun, isBehind } = orders.stopRunOf(id)!
  const isBid = side === 'bid'
  const other = isBid ? 'ask' : 'bid'
  const best = books.bestPrice(market.id, other)
  const isWithin = best !== 0 && (isBid ? best <= limit : best >= limit)
  const reach = `${other} at ${words.price(limit)} or ${isBid ? 'lower' : 'higher'}`
  const now = isWithin ? `there is a ${reach} now` : `there is no ${reach}, its limit now`
  const filled = filledLots === 0 ? 'nothing' : words.size(filledLots)
  const done = `${filled} was ${isBid ? 'bought' : 'sold'}`
  const left = words.size(initialLots - filledLots - cancelledLots)
  const bestNow = best === 0 ? 'the book has none' : `the best is ${words.price(best)}`
  const ran = `order ${id} ran, ${done}, and ${left} is left: ${now} (${bestNow})`
  const waits = `order ${id} has not run yet: it waits for a price observed after it arrived`
  const behind = `order ${id} waits until the order of an earlier stop of its position has ended`
  return [
    { what: isBehind ? behind : hasRun ? ran : waits, rule: hasRun ? 'TRIG-3' : 'ORDER-3' },
    {
      what: 'runs again with each new price, and a limit that follows it, until the position ends',
      rule: 'TRIG-3',
    },
  ]
}

async function restingLines(scene: Scene): Promise<Pending[]> {
  const { order, market, words, present } = scene
  const { side, price, unreleased, goesOn } = order
  const { view, history, seq } = present
  if (goesOn) return runLines(scene)
  if (unreleased)
    return [{ what: 'waits for its release, and then runs against the book', rule: 'ORDER-3' }]
  const left = order.initialLots - order.filledLots - order.cancelledLots
  const best = view.books.bestPrice(market.id, side === 'bid' ? 'ask' : 'bid')
  const other = `${side === 'bid' ? 'ask' : 'bid'} is ${best === 0 ? 'none' : words.price(best)}`
  const lines: Pending[] = [
    {
      what: `rests with ${words.size(left)} at ${words.price(price)}; the best ${other}`,
      rule: 'ORDER-4',
    },
  ]
  const place = view.orders.queues().of(order.order)
  if (place)
    lines.push({
      what:
        `place in its queue: ${counted(place.ordersAhead, 'order')} with ` +
        `${words.size(place.ahead)} ahead, ` +
        `and ${words.size(place.behind)} behind`,
      rule: 'ORDER-5',
    })
  const sinceMs = order.createdAt
  const traded = (await history.tradedAt(seq, { market: market.id, price, sinceMs }))!
  const among = traded.isWhole ? '' : ' among the newest trades of the market'
  const fills = `${counted(traded.trades, 'trade')} with ${words.size(traded.lots)} in all`
  lines.push({
    what: `since ${timeOf(sinceMs)} its price had ${fills}${among}`,
    rule: 'ORDER-6',
  })
  const approach = { market: market.id, sinceMs, high: side === 'ask', price }
  const closest = await closestText(present, words, { ...approach, by: 'last' })
  lines.push({ what: closest, rule: 'ORDER-6' })
  return lines
}

function reduceLines({ order, account, market, words, present }: Scene): Pending[] {
  if (!order.reduceOnly) return []
  const lots = present.view.positions.lotsOf(account, market.id)
  if (lots === 0) return [{ what: 'only reduces, and there is no position', rule: 'ORDER-7' }]
  return [
    {
      what: `only reduces the position of ${words.size(lots)}, and ends when it is closed or turns`,
      rule: 'ORDER-7',
    },
  ]
}

function endLines({ oco, expireTime }: OpenOrder): Pending[] {
  return [
    ...(oco === null ? [] : [{ what: `ends when its other leg ${oco} executes`, rule: 'TRIG-14' }]),
    ...(expireTime === null ? [] : [{ what: `ends at ${timeOf(expireTime)}`, rule: 'ORDER-14' }]),
  ]
}
