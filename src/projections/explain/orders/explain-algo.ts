// `explain order` for a TWAP, an iceberg or a chase: its steps, its orders, and why it ended.

import type { Event, EventOf } from '../../../core/index.ts'
import {
  type Explanation,
  type Happening,
  type MarketWords,
  type Step,
  step,
  timeOf,
  usd,
  wordsOf,
} from '../explanation.ts'
import type { Found } from '../past.ts'
import { algoRules, purposeOf, termsOf } from './algo-words.ts'
import type { OrderSearch } from './find-order.ts'
import { reasonText, rejectionOf } from './why-ended.ts'

type AlgoPlaced = EventOf<'AlgoPlaced'>
type AlgoEnded = EventOf<'AlgoEnded'>
type AlgoEvent = AlgoPlaced | AlgoEnded | EventOf<'AlgoStepped'> | EventOf<'AlgoFilled'>

export function isAlgoEvent(event: Event): event is AlgoEvent {
  return event.type.startsWith('Algo')
}

/** The events of an algo, as far as history contains them. */
type Life = Readonly<{
  id: number
  /** Placement of the algo; `null` if it is no longer in history. */
  placement: AlgoPlaced | null
  children: ReadonlySet<number>
  words: MarketWords
  rule: string
  /** Number of consecutive refusals after which the algo is cancelled. */
  refusals: number
}>

export function explainAlgo(search: OrderSearch, id: number): Explanation {
  const { found, view, children } = search
  const first = found.find(({ events, at }) => isAlgoEvent(events[at]!))!
  const event = first.events[first.at] as AlgoEvent
  const { params, unitValue } = view.markets.get(event.market)!
  const words = wordsOf(params, unitValue)
  const placement = event.type === 'AlgoPlaced' ? event : null
  const rule = placement === null ? 'ALGO-1' : algoRules[placement.kind]
  const life = { id, placement, children, words, rule, refusals: view.ruleLimits.algoRefusals }
  const total = found.map(({ events, at }) => events[at]!).findLast(isTotal)
  const ids = [...children]
  return {
    title: `${nameOf(placement)} ${id} on ${params.symbol}`,
    facts: {
      account: view.accounts.addressOf(event.account),
      command: first.entry.kind === 'command' ? first.entry.command.type : first.entry.kind,
      placed:
        placement === null
          ? `before seq ${search.fromSeq + 1}`
          : `seq ${first.seq}, ${timeOf(first.atMs)}`,
      orders: ids.length > 20 ? `${ids.length}, ${ids[0]} to ${ids.at(-1)}` : ids.join(', '),
      filled: filledText(total?.filled ?? 0, total?.filledValue ?? 0, life),
      state: total?.type === 'AlgoEnded' ? `ended: ${total.reason}` : 'runs',
    },
    happened: found.flatMap((each) => happeningOf(each, life)),
    steps: placement === null || total === undefined ? [] : sumSteps(found, life, total),
    pending: [],
  }
}

function nameOf(placement: AlgoPlaced | null): string {
  if (placement === null) return 'Algo'
  return { twap: 'TWAP', iceberg: 'Iceberg', chase: 'Chase' }[placement.kind]
}

/** Whether the event contains the total fills of all orders of the algo. */
function isTotal(event: Event): event is AlgoEnded | EventOf<'AlgoFilled'> {
  return event.type === 'AlgoEnded' || event.type === 'AlgoFilled'
}

function filledText(filled: number, value: number, { placement, words }: Life): string {
  const of = placement === null ? '' : ` of ${words.size(placement.size)}`
  return `${words.size(filled)}${of} for ${usd(value)}`
}

function happeningOf(found: Found, life: Life): readonly Happening[] {
  const line = lineOf(found, life)
  return line === null ? [] : [{ seq: found.seq, time: timeOf(found.atMs), ...line }]
}

type Line = Readonly<{ what: string; rule: string }>

function lineOf(found: Found, life: Life): Line | null {
  const { words, rule, children } = life
  const event = found.events[found.at]!
  switch (event.type) {
    case 'AlgoPlaced':
      return { what: `${event.kind} placed: ${termsOf(event, words)}`, rule }
    case 'AlgoStepped':
      return { what: `${stepName(event, life)}: ${stepWords(event, found, life)}`, rule }
    case 'AlgoFilled': {
      const trade = found.events.slice(0, found.at).findLast((each) => each.type === 'Traded')
      const order = trade?.type === 'Traded' ? childIn(trade, children) : undefined
      const all = filledText(event.filled, event.filledValue, life)
      const what = `order ${order} filled ${words.size(event.lots)} for ${usd(event.value)}`
      return { what: `${what}; ${all} in total`, rule: 'ALGO-1' }
    }
    case 'OrderCancelled': {
      // The algo's own steps already report these events.
      if (event.reason === 'replaced' || event.reason === 'post_only_rejected') return null
      const left = words.size(event.remaining)
      const why = reasonText(event.reason, found)
      return { what: `order ${event.order} ended with ${left} unfilled: ${why}`, rule: 'ALGO-1' }
    }
    case 'AlgoEnded': {
      const all = filledText(event.filled, event.filledValue, life)
      return { what: `ended with ${all} filled: ${whyEnded(event, found, life)}`, rule: 'ALGO-1' }
    }
    default:
      return null
  }
}

function childIn(trade: EventOf<'Traded'>, children: ReadonlySet<number>): number | undefined {
  return [trade.makerOrder, trade.takerOrder].find((order) => children.has(order))
}

type Stepped = EventOf<'AlgoStepped'>

function stepName({ step: number }: Stepped, { placement }: Life): string {
  return placement?.kind === 'twap' ? `slice ${number} of ${placement.slices}` : `step ${number}`
}

/** Describes the order of a step, and its outcome. */
function stepWords(event: Stepped, found: Found, { id, placement, words }: Life): string {
  if (event.lots === 0) return 'nothing to buy or sell now'
  const at = event.price === 0 ? 'the market' : words.price(event.price)
  const wish = `${words.size(event.lots)} at ${at}`
  if (event.rejection !== 0) return `${wish} was refused: ${rejectionOf(event.rejection)}`
  const { events } = found
  const placedAt = events.findIndex(
    (each, index) => index > found.at && each.type === 'OrderPlaced' && each.parent === id,
  )
  const order = events[placedAt] as EventOf<'OrderPlaced'>
  const why =
    placement === null || placement.kind === 'twap'
      ? ''
      : `, ${purposeOf(order, { ...found, at: placedAt }, placement, words)}`
  const crossed = events.some(
    (each) =>
      each.type === 'OrderCancelled' &&
      each.order === order.order &&
      each.reason === 'post_only_rejected',
  )
  const price = order.orderType === 'market' ? 'the market' : words.price(order.price)
  const made = `order ${order.order} for ${words.size(order.size)} at ${price}${why}`
  return crossed ? `${made}; the order would have taken, which counts as a refusal` : made
}

function whyEnded(
  { reason, filled }: AlgoEnded,
  found: Found,
  { placement, children, refusals }: Life,
): string {
  const last = found.events
    .slice(0, found.at)
    .findLast((each) => each.type === 'OrderCancelled' && children.has(each.order))
  const child = last?.type === 'OrderCancelled' ? last : null
  switch (reason) {
    case 'finished':
      if (filled === placement?.size) return 'finished, completely filled'
      return placement?.kind === 'twap'
        ? 'finished with its last slice'
        : 'finished, nothing is left to reduce'
    case 'refused':
      return child === null || child.reason === 'refused' || child.reason === 'post_only_rejected'
        ? `refused, ${refusals} times in a row`
        : `refused, because its order ${child.order} ended: ${reasonText(child.reason)}`
    case 'owner': {
      const { entry } = found
      if (child === null || child.reason === 'owner') return reasonText('owner', found)
      const by = entry.kind === 'command' ? entry.command.type : entry.kind
      return `${reasonText(child.reason)}, in ${by}`
    }
    case 'expired':
      return 'expired'
    case 'liquidation':
      return 'liquidation of the account'
    case 'market_closed':
      return 'market_closed, because the market was settled'
  }
}

/** Compares the trades of the algo's orders with the fills that the algo reported (ALGO-1). */
function sumSteps(
  found: readonly Found[],
  { children, words }: Life,
  total: AlgoEnded | EventOf<'AlgoFilled'>,
): readonly Step[] {
  const trades = found
    .map(({ events, at }) => events[at]!)
    .filter((event) => event.type === 'Traded')
  const inputs = { orders: `${children.size}`, trades: `${trades.length}` }
  const sum = (field: 'lots' | 'value') => trades.reduce((all, trade) => all + trade[field], 0)
  return [
    step({
      ...{ rule: 'ALGO-1', formula: 'filled = lots of all trades of its orders', inputs },
      ...{ result: sum('lots'), recorded: total.filled, text: words.size },
    }),
    step({
      ...{ rule: 'ALGO-1', formula: 'value = money of all trades of its orders', inputs },
      ...{ result: sum('value'), recorded: total.filledValue, text: usd },
    }),
  ]
}
