// The trigger of a stop as flags of `openperp order`: a price, or a distance behind the best mark.

import { misused } from '../../frame/exit-codes.ts'
import { oneOf } from '../order-words.ts'

const triggers = { mark: 'mark_price', last: 'last_trade_price', mid: 'mid_price' } as const

export const stopOptions = {
  stop: { value: '<price>', about: 'trigger price of a stop' },
  trigger: { value: '<mark|last|mid>', about: 'price that triggers it (default: mark)' },
  when: {
    value: '<above|below>',
    about: 'direction in which it triggers (default: a bid above, an ask below)',
  },
  trail: {
    value: '<percent%|distance>',
    about: 'trailing stop: distance from the best mark, 1% or 500 in price',
  },
  from: { value: '<price>', about: 'activation mark, with --trail' },
} as const

/** Fields and sentences of the API by their flags. */
export const stopFields = {
  'stop_order.stop_price': '--stop',
  'stop_order.trailing_percent': '--trail',
  'stop_order.trailing_distance': '--trail',
  'stop_order.activation_price': '--from',
  'stop_order.limit_price': 'price',
  'stop_order.amount': 'amount',
  'stop_order.slippage_percent': '--slippage',
  stop_order: '--stop',
  'trigger_direction gte': '--when above',
  'trigger_direction lte': '--when below',
  'waits for a higher price, an ask stop for a lower one':
    'waits for a higher price unless --when below, an ask stop for a lower one unless --when above',
} as const

type Flags = Readonly<{ [K in keyof typeof stopOptions]?: string | undefined }>

export function isStop({ stop, trail }: Flags): boolean {
  return stop !== undefined || trail !== undefined
}

/** Flags that require another flag. */
export function checkStopFlags(flags: Flags): void {
  for (const flag of ['trigger', 'when'] as const)
    if (flags[flag] !== undefined && flags.stop === undefined)
      throw misused(`--${flag} says when a stop fires: give --stop too`)
  if (flags.from !== undefined && flags.trail === undefined)
    throw misused('--from says where a trail begins: give --trail too')
  if (flags.stop !== undefined && flags.trail !== undefined)
    throw misused('--stop is a price that stands, --trail one that follows', 'give one of them')
}

/** The field of the request, and its description. */
export function stopWatch(flags: Flags, side: 'bid' | 'ask') {
  const { stop, trail, from, when } = flags
  if (trail !== undefined) return trailWatch(trail, from)
  const trigger = oneOf('--trigger', flags.trigger ?? 'mark', 'mark', 'last', 'mid')
  const above =
    when === undefined ? side === 'bid' : oneOf('--when', when, 'above', 'below') === 'above'
  return {
    watched: {
      stop_price: stop!,
      trigger_price_type: triggers[trigger],
      ...(when !== undefined && ({ trigger_direction: above ? 'gte' : 'lte' } as const)),
    },
    waits: `${trigger} price at or ${above ? 'above' : 'below'} ${stop}`,
  }
}

/** For a stop at the market; absent for the default of the market. */
export function slippageIn({ slippage }: Readonly<{ slippage?: string | undefined }>) {
  return slippage === undefined ? {} : { slippage_percent: slippage }
}

/** For a trailing stop: its distance, and the mark from which on it trails. */
export function trailWatch(trail: string, from: string | undefined) {
  const behind = trail.endsWith('%')
    ? { trailing_percent: trail.slice(0, -1) }
    : { trailing_distance: trail }
  const begins = from === undefined ? '' : `, from ${from} on`
  return {
    watched: { ...behind, ...(from !== undefined && { activation_price: from }) },
    waits: `mark price ${trail} behind its best${begins}`,
  }
}
