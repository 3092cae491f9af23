// Describes the life of an order: one line per event, each with its rule.

import { type Event, type EventOf, fillsOf } from '../../../core/index.ts'
import { formatDecimal } from '../../../units/decimal.ts'
import { type Happening, type MarketWords, timeOf, usd } from '../explanation.ts'
import type { Found } from '../past.ts'
import { algoRules, whyPlaced } from './algo-words.ts'
import { goesOn, placingOf, runLine, waitText } from './release-words.ts'
import {
  type Ended,
  filledOf,
  reasonText,
  whyOtherLeg,
  whyParent,
  whyRefused,
} from './why-ended.ts'

type Line = Readonly<{ what: string; rule: string | null }>

/** The order to describe. */
export type Subject = Readonly<{
  id: number
  words: MarketWords
  /** Ids of the other legs, if the order is part of an OCO. */
  others: ReadonlySet<number>
  /** The algo that placed the order, if its placement is still in the journal. */
  algo: EventOf<'AlgoPlaced'> | null
}>

const cancelRules: Readonly<Record<string, string>> = {
  owner: 'ORDER-8',
  replaced: 'ORDER-9',
  expired: 'ORDER-4',
  disconnected: 'TRIG-9',
  mmp: 'ORDER-18',
  post_only_rejected: 'ORDER-4',
  self_trade_prevented: 'ORDER-5',
  margin: 'MARGIN-5',
  reduce_only: 'ORDER-7',
  open_interest: 'ORDER-5',
  liquidation: 'LIQ-2',
  market_closed: 'MARKET-3',
  scheduled: 'TRIG-7',
  oco: 'TRIG-14',
  parent_ended: 'ORDER-4',
  refused: 'ORDER-3',
}

export function storyOf(found: readonly Found[], subject: Subject): readonly Happening[] {
  const timed = found.some(({ events, at }) => events[at]!.type === 'ExpirySet')
  const ruleOf = ({ events, at }: Found) => {
    if (timed && isExpiry(events[at]!)) return 'ORDER-14'
    return endedWithStop(events, at, found) ? 'TRIG-13' : null
  }
  const happening = ({ seq, atMs }: Found, line: Line) => ({ seq, time: timeOf(atMs), ...line })
  return found.flatMap((each) => {
    const run = runLine(each, found, subject.id)
    const lines = linesOf(each, subject, found).map((line) =>
      happening(each, { ...line, rule: ruleOf(each) ?? line.rule }),
    )
    return run === null ? lines : [happening(each, run), ...lines]
  })
}

/** Whether a level ended with its stop, before the stop placed an order. */
function endedWithStop(events: readonly Event[], at: number, life: readonly Found[]): boolean {
  const event = events[at]!
  if (event.type !== 'OrderCancelled' || event.reason !== 'parent_ended') return false
  const set = life.find((each) => each.events[each.at]!.type === 'StopPlaced')
  if (set === undefined) return false
  const placed = set.events[set.at] as StopPlaced
  return (
    isOfStop(placed, set.events.slice(0, set.at)) &&
    events.some((each) => each.type === 'OrderCancelled' && each.order === placed.parent)
  )
}

function isExpiry(event: Event): boolean {
  return event.type === 'OrderCancelled' && event.reason === 'expired'
}

function linesOf(found: Found, subject: Subject, life: readonly Found[]): readonly Line[] {
  const event = found.events[found.at]!
  if (event.type !== 'Traded') {
    const line = lineOf(event, found, subject, life)
    return line === null ? [] : [line]
  }
  const { id, words } = subject
  return fillsOf(event)
    .filter((fill) => fill.order === id)
    .map((fill) => ({
      what:
        `fill ${fill.history}: ${fill.kind} ${words.size(fill.lots)} for ${usd(fill.value)}` +
        ` as ${fill.role}, fee ${usd(fill.fee)}, profit ${usd(fill.pnl)}`,
      rule: 'ORDER-6',
    }))
}

function lineOf(event: Event, found: Found, subject: Subject, life: readonly Found[]): Line | null {
  const { words } = subject
  switch (event.type) {
    case 'ExpirySet':
      return { what: `expires at ${timeOf(event.time)}`, rule: 'ORDER-14' }
    case 'OrderProtected':
      return { what: 'cancelled when the maker protection of the account trips', rule: 'ORDER-18' }
    case 'OrderPlaced':
      return event.order === subject.id
        ? placedLine(event, found, subject)
        : followerLine(event, found, words)
    case 'OrderRested':
      return {
        what: `rests with ${words.size(event.remaining)} at ${words.price(event.price)}`,
        rule: 'ORDER-4',
      }
    case 'OrderReduced':
      return { what: `cut to the position: ${words.size(event.remaining)} left`, rule: 'ORDER-7' }
    case 'OrderCancelled': {
      // A level for the whole position has no size.
      const left = event.remaining === 0 ? '' : ` with ${words.size(event.remaining)} unfilled`
      return {
        what: `ended${left}: ${whyFiredEnded(event, life) ?? whyEnded(event, found, subject)}`,
        rule: cancelRules[event.reason]!,
      }
    }
    default:
      return stopLineOf(event, found, subject)
  }
}

type Placed = EventOf<'OrderPlaced'>

function placedLine(event: Placed, found: Found, { words, algo }: Subject): Line {
  const waits = waitText(event)
  const terms = `${event.side} ${words.size(event.size)} at ${words.price(event.price)}`
  const by = event.origin === 'algo' ? whyPlaced(event, found, algo, words) : placedBy(event)
  const moved = movedText(event, found, words)
  const what = `placed by ${by}: ${terms}, ${event.tif}${moved}${waits}`
  if (moved !== '') return { what, rule: 'MARGIN-5' }
  if (event.waiting) return { what, rule: 'ORDER-3' }
  if (goesOn(event)) return { what, rule: 'TRIG-3' }
  if (event.origin === 'algo')
    return { what, rule: algo === null ? 'ALGO-1' : algoRules[algo.kind] }
  return { what, rule: event.origin === 'user' && event.parent !== 0 ? 'ORDER-9' : 'ORDER-4' }
}

/** Describes the moved limit of a reduce-only limit order that was placed and run by the same
 *  command. The limit moves if closing would otherwise cost the account too much. */
function movedText({ price, tif }: Placed, { entry }: Found, words: MarketWords): string {
  const command = entry.kind === 'command' ? entry.command : null
  if (command?.type !== 'PlaceOrder' || tif === 'TOB' || command.price === price) return ''
  const from = words.price(command.price)
  return `, limit moved from ${from}, so that the close does not ruin the account`
}

function placedBy({ origin, parent }: Placed): string {
  if (parent === 0) return origin
  return origin === 'user' ? `user, in place of order ${parent}` : `${origin} ${parent}`
}

/** Describes a descendant: the order of a triggered stop, or a refused edit. */
function followerLine(event: Placed, { events, at }: Found, words: MarketWords): Line | null {
  if (event.origin === 'trigger') return { what: `placed order ${event.order}`, rule: 'TRIG-3' }
  const next = events[at + 1]
  const crossed = next?.type === 'OrderCancelled' && next.order === event.order
  if (!crossed) return null
  const terms = `${words.size(event.size)} at ${words.price(event.price)}`
  return { what: `not replaced: order ${event.order}, ${terms}, would have taken`, rule: 'ORDER-9' }
}

function whyEnded(event: Ended, found: Found, { words, others, algo }: Subject): string {
  const after = found.events.slice(found.at + 1)
  switch (event.reason) {
    case 'oco':
      return whyOtherLeg(found, others, words)
    case 'parent_ended':
      return whyParent(found)
    case 'replaced': {
      const parents = [event.order, algo?.order]
      const next = after.find(
        (each) => each.type === 'OrderPlaced' && parents.includes(each.parent),
      )
      return next?.type === 'OrderPlaced' ? `replaced by order ${next.order}` : 'replaced'
    }
    default: {
      const isLast = after.some((each) => each.type === 'AlgoEnded' && each.algo === algo?.order)
      if (event.reason === 'refused' && isLast) return `${algo!.kind} ${algo!.order} ended: refused`
      const own = event.reason === 'refused' ? whyRefused(event) : reasonText(event.reason, found)
      return isLast ? `${own}, and ${algo!.kind} ${algo!.order} with it` : own
    }
  }
}

/** Why the continuing order of a triggered stop expired; `null` for another order, or another
 *  reason. */
function whyFiredEnded({ order, reason }: Ended, life: readonly Found[]): string | null {
  const placing = placingOf(life, order)
  const placed = placing === null ? null : (placing.events[placing.at] as Placed)
  if (placed === null || !goesOn(placed)) return null
  const traded = life.some(({ events, at }) => {
    const event = events[at]!
    return event.type === 'Traded' && event.takerOrder === order
  })
  const other = placed.side === 'bid' ? 'ask' : 'bid'
  const none = traded ? '' : `; no run found a ${other} within its limit`
  if (reason === 'reduce_only') return `the position is closed or has changed sides${none}`
  return reason === 'expired' ? `expired before the position was closed${none}` : null
}

/** Describes the best mark of a trailing stop so far. */
const followed = (extreme: number, words: MarketWords) =>
  extreme === 0 ? '' : `, from the mark ${words.price(extreme)}`

function stopLineOf(event: Event, found: Found, { id, words, others }: Subject): Line | null {
  const before = found.events.slice(0, found.at)
  switch (event.type) {
    case 'TrailSet': {
      const behind =
        event.ppm === 0 ? words.price(event.distance) : `${formatDecimal(event.ppm, 4)} %`
      const from = event.activation === 0 ? '' : `, from ${words.price(event.activation)} on`
      return { what: `follows the mark, ${behind} behind the best mark${from}`, rule: 'TRIG-11' }
    }
    case 'StopPlaced': {
      const size = event.size === 0 ? 'the whole position' : words.size(event.size)
      const limit = event.limitPrice === 0 ? 'the market' : words.price(event.limitPrice)
      const reached = `${event.triggerBy} ${event.up ? '≥' : '≤'} ${words.price(event.stopPrice)}`
      const at = event.stopPrice === 0 ? 'the mark comes back' : reached
      return {
        what:
          `${event.orderType} set: ${event.side} ${size} at ${limit} when ${at}` +
          followed(event.extreme, words) +
          (event.parent === 0 ? '' : `, once ${parentOf(event, before)} has filled`),
        rule: event.parent === 0 ? 'TRIG-2' : isOfStop(event, before) ? 'TRIG-13' : 'TRIG-5',
      }
    }
    case 'OcoLinked': {
      const other = event.first === id ? event.second : event.first
      return {
        what: `linked to ${other}: when one executes, the other is cancelled`,
        rule: 'TRIG-14',
      }
    }
    case 'StopArmed': {
      const orders = before.flatMap((each) =>
        each.type === 'Traded' ? (filledOf(each, event.account) ?? []) : [],
      )
      const size = event.size === 0 ? 'the whole position' : words.size(event.size)
      const what = `armed for ${size}: order ${orders.at(-1)} has filled`
      return { what: what + followed(event.extreme, words), rule: 'TRIG-5' }
    }
    case 'StopReduced': {
      const cut = before.findLast((each) => leftOf(each, others) === event.size)
      const what = `reduced to ${words.size(event.size)}`
      if (cut === undefined) return { what, rule: 'TRIG-4' }
      return { what: `${what}, the remaining size of the other leg`, rule: 'TRIG-14' }
    }
    case 'StopTriggered': {
      const best = event.extreme === 0 ? '' : `, back from ${words.price(event.extreme)}`
      return { what: `fired at ${words.price(event.price)}${best}`, rule: 'TRIG-3' }
    }
    default:
      return null
  }
}

type StopPlaced = EventOf<'StopPlaced'>

/** Whether a level belongs to a stop, because its event immediately follows the stop's. */
function isOfStop({ parent }: StopPlaced, before: readonly Event[]): boolean {
  return before.some((each) => each.type === 'StopPlaced' && each.order === parent)
}

function parentOf(event: StopPlaced, before: readonly Event[]): string {
  return isOfStop(event, before) ? `the order of stop ${event.parent}` : `order ${event.parent}`
}

/** Remaining size after an event of one of these orders; `null` if it concerns another order. */
function leftOf(event: Event, orders: ReadonlySet<number>): number | null {
  if (event.type === 'OrderRested') return orders.has(event.order) ? event.remaining : null
  if (event.type !== 'Traded') return null
  if (orders.has(event.makerOrder)) return event.makerRemaining
  return orders.has(event.takerOrder) ? event.takerRemaining : null
}
