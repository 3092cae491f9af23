// The life of an order in words: one line an event, each with the rule that made it so.

import { type Event, fillsOf, rejections } from '../../../core/index.ts'
import { formatDecimal } from '../../../units/decimal.ts'
import { type Happening, type MarketWords, timeOf, usd } from './explanation.ts'
import type { Found } from './find-events.ts'

type Line = Readonly<{ what: string; rule: string | null }>

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

export function storyOf(
  found: readonly Found[],
  order: number,
  words: MarketWords,
): readonly Happening[] {
  const timed = found.some(({ events, at }) => events[at]!.type === 'ExpirySet')
  return found.flatMap(({ seq, atMs, events, at }) =>
    linesOf(events[at]!, order, words).map((line) => ({
      ...{ seq, time: timeOf(atMs), ...line },
      rule: timed && isExpiry(events[at]!) ? 'ORDER-14' : line.rule,
    })),
  )
}

function isExpiry(event: Event): boolean {
  return event.type === 'OrderCancelled' && event.reason === 'expired'
}

function linesOf(event: Event, order: number, words: MarketWords): readonly Line[] {
  if (event.type !== 'Traded') {
    const line = lineOf(event, words)
    return line === null ? [] : [line]
  }
  return fillsOf(event)
    .filter((fill) => fill.order === order)
    .map((fill) => ({
      what:
        `fill ${fill.history}: ${fill.kind} ${words.size(fill.lots)} for ${usd(fill.value)}` +
        ` as ${fill.role}, fee ${usd(fill.fee)}, profit ${usd(fill.pnl)}`,
      rule: 'ORDER-6',
    }))
}

function lineOf(event: Event, words: MarketWords): Line | null {
  switch (event.type) {
    case 'ExpirySet':
      return { what: `ends at ${timeOf(event.time)}, if not before`, rule: 'ORDER-14' }
    case 'OrderProtected':
      return { what: 'protected: it ends when its account is filled too fast', rule: 'ORDER-18' }
    case 'OrderPlaced': {
      const waits = event.waiting ? ', waits at the speed bump' : ''
      const terms = `${event.side} ${words.size(event.size)} at ${words.price(event.price)}`
      const rule = event.waiting ? 'ORDER-3' : 'ORDER-4'
      return { what: `placed by ${event.origin}: ${terms}, ${event.tif}${waits}`, rule }
    }
    case 'OrderRested':
      return {
        what: `rests with ${words.size(event.remaining)} at ${words.price(event.price)}`,
        rule: 'ORDER-4',
      }
    case 'OrderReduced':
      return { what: `cut to the position: ${words.size(event.remaining)} left`, rule: 'ORDER-7' }
    case 'OrderCancelled': {
      const name = Object.entries(rejections).find(([, { code }]) => code === event.rejection)?.[0]
      const why = event.reason === 'refused' ? `refused on release: ${name}` : event.reason
      const what = `ended with ${words.size(event.remaining)} unfilled: ${why}`
      return { what, rule: cancelRules[event.reason] ?? null }
    }
    default:
      return stopLineOf(event, words)
  }
}

/** Of a stop that trails: the mark that it follows so far. */
const followed = (extreme: number, words: MarketWords) =>
  extreme === 0 ? '' : `, from the mark ${words.price(extreme)}`

function stopLineOf(event: Event, words: MarketWords): Line | null {
  switch (event.type) {
    case 'TrailSet': {
      const behind =
        event.ppm === 0 ? words.price(event.distance) : `${formatDecimal(event.ppm, 4)} %`
      const from = event.activation === 0 ? '' : `, from ${words.price(event.activation)} on`
      return { what: `follows the mark, ${behind} behind its best${from}`, rule: 'TRIG-11' }
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
          (event.parent === 0 ? '' : `, once ${event.parent} has filled`),
        rule: event.parent === 0 ? 'TRIG-2' : 'TRIG-5',
      }
    }
    case 'OcoLinked':
      return { what: `of ${event.first} and ${event.second} one happens`, rule: 'TRIG-14' }
    case 'StopArmed':
      return {
        what: `armed: its order has filled${followed(event.extreme, words)}`,
        rule: 'TRIG-5',
      }
    case 'StopReduced':
      return { what: `shrank to ${words.size(event.size)}`, rule: 'TRIG-4' }
    case 'StopTriggered': {
      const best = event.extreme === 0 ? '' : `, back from ${words.price(event.extreme)}`
      return { what: `fired at ${words.price(event.price)}${best}`, rule: 'TRIG-3' }
    }
    default:
      return null
  }
}
