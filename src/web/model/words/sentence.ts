// Rewrites a message of the exchange for the terminal. API messages contain field names, routes and
// milliseconds for programs; the terminal shows labels and times.

import { dateText } from '../number-text.ts'
import { fieldWords, routeWords } from './field-words.ts'

type Rewrite = readonly [RegExp, string | ((...found: string[]) => string)]

const fieldText = (name: string) => fieldWords[name] ?? name.replaceAll('_', ' ')

/** Indexed fields; the shown numbers start at 1. */
const members: readonly Rewrite[] = [
  [/\blegs\[0\](?:: |\.| )/g, 'the first of the pair: '],
  [/\blegs\[1\](?:: |\.| )/g, 'the second of the pair: '],
  [/\b(take_profit|stop_loss)\[(\d)\]/g, (_, kind, at) => `${fieldText(kind!)} ${+at! + 1}`],
  [/\b(profit(?: \d)?|loss(?: \d)?|take_profit|stop_loss)\.(?=[a-z])/g, '$1: '],
  [/\b(?:policy|stop_order|data)\.(?=[a-z])/g, ''],
]

/** Phrases that replace more than a field name. */
const phrases: readonly Rewrite[] = [
  [/ \(trigger_direction (?:gte|lte)\)/g, ''],
  [/\btrigger_direction gte\b/g, 'one that fires at or above it'],
  [/\btrigger_direction lte\b/g, 'one that fires at or below it'],
  [/\ba bid stop waits\b/g, 'a buy stop waits'],
  [/\ban ask stop\b/g, 'a sell stop'],
  [/\bask closes a long, bid closes a short\b/g, 'a sell closes a long, a buy closes a short'],
  [/\bstop price\b/g, 'trigger price'],
  [/\bsend reduce_only true\b/g, 'choose Reduce only'],
  [/\breduce_only (?:is )?true\b/g, 'Reduce only'],
  [/\buse (?:limit orders with )?tif ALO or TOB\b/g, 'use limit orders with Post only'],
  [/\bALO and TOB orders\b/g, 'post-only orders'],
  [/\bor use stp cancel_maker, which\b/g, 'or choose an option under Advanced that'],
  [/ with stp cancel_(?:taker|both)\b/g, ' with the choice under Advanced'],
  [/\bengine time is (?=\d{13})/g, "the exchange's time is "],
  [/\b(\d+) seconds is outside (\d+) to (\d+)/g, (_, ...all) => durationText(all.map(Number))],
  [/ must not have fewer than 1 characters, there are 0\b/g, ' is missing'],
  [/ must be >= /g, ' must be at least '],
  [/ must be <= /g, ' must be at most '],
  [/\brule \d of this agent's policy: /g, "the policy of this agent's key: "],
]

function durationText([given, least, most]: readonly number[]): string {
  const minutes = (seconds: number) => Number((seconds / 60).toFixed(2))
  return `${minutes(given!)} minutes is outside ${minutes(least!)} to ${minutes(most!)}`
}

/** Field names, except within an address. */
const names: Rewrite = [/(?<![\w/.])[a-z]+(?:_[a-z]+)+(?![\w/])/g, fieldText]

const numbers: readonly Rewrite[] = [
  [/(?<![\w.])1\d{12}(?![\w.]*\w)/g, (ms) => dateText(Number(ms))],
  [/(?<![\w.])(\d{4,}) ms\b/g, (_, ms) => `${Number(ms) / 1_000} s`],
  // Ids are not grouped by thousands.
  [
    /(?<!(?:order|TWAP|withdrawal|number|id) )(?<![\w.,:/-])\d{5,12}(?![\w:-])/g,
    (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','),
  ],
]

const rewrites: readonly Rewrite[] = [...routeWords, ...members, ...phrases, names, ...numbers]

/** The message without the error name at its start. */
export function sentence(message: string): string {
  const bare = message.replace(/^([A-Z_]+|post_only_rejected): /, '')
  const text = rewrites.reduce(
    (rewritten, [pattern, by]) => rewritten.replace(pattern, by as (...found: string[]) => string),
    bare,
  )
  return text.charAt(0).toUpperCase() + text.slice(1)
}
