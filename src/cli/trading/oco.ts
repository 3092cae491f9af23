// `openperp oco`: a resting order and a stop, or two stops, of which one is executed.

import { replyTo, signerOptions, signingClient } from '../connection.ts'
import { type Call, command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { pairsOf } from '../frame/screen.ts'
import { endingIn, endsPairs, expireOption } from './expiry.ts'
import { marketAndSide, sideOf } from './order-words.ts'
import { previewed, previewOption } from './preview.ts'

const options = {
  ...signerOptions,
  price: { value: '<price>', about: 'price of a limit order, with --stop' },
  stop: { value: '<price>', about: 'trigger price of a stop of the same side and size' },
  above: { value: '<price>', about: 'a stop that fires at or above this price, with --below' },
  below: { value: '<price>', about: 'a stop that fires at or below this price, with --above' },
  'other-side': { about: 'the --below stop has the opposite side' },
  ...expireOption,
  'reduce-only': { about: 'both reduce the position only' },
  ...previewOption,
} as const

type OcoCall = Call<typeof options>

export const oco = command({
  name: 'oco',
  group: 'trading',
  summary: 'Place two linked orders: when one executes, the other is cancelled',
  about:
    'An order that rests (--price) and a stop (--stop): when the stop fires, the order is ' +
    'cancelled; as the order fills, the stop is reduced by the same size. Or two stops (--above ' +
    'and --below): the first that fires cancels the other. Cancelling one cancels both.',
  arguments: [
    ...marketAndSide,
    { name: 'amount', about: 'size in the base asset, such as 0.01', required: true },
  ],
  options,
  examples: [
    'openperp oco BTC ask 0.01 --price 120000 --stop 90000 --reduce-only',
    'openperp oco BTC bid 0.01 --above 120000 --below 90000 --other-side --expire 1h',
    'openperp oco BTC ask 0.01 --price 120000 --stop 90000 --preview',
  ],
  async run(typed) {
    const call = { ...typed, said: { symbol: typed.words[0]!, flags: flagsOf(typed.values) } }
    const client = signingClient(call)
    const legs = legsOf(call)
    const ending = await endingIn(call, client)
    const wish = { symbol: call.words[0]!, legs: [...legs], ...ending }
    if (call.values.preview === true) return previewed(call, client, wish)
    const placed = await replyTo(call, client.createOcoOrder(wish))
    const pairs = legs.map((leg, at): [string, string] => {
      const what = `${placed.order_ids[at]}: ${leg.side} ${leg.amount} ${call.words[0]}`
      if (!('stop_price' in leg)) return ['order', `${what} at ${leg.price}`]
      const { trigger_direction: direction } = leg
      const above = direction === undefined ? leg.side === 'bid' : direction === 'gte'
      return [
        'stop',
        `${what} when the mark is at or ${above ? 'above' : 'below'} ${leg.stop_price}`,
      ]
    })
    return { json: { ...placed, ...ending }, lines: pairsOf([...pairs, ...endsPairs(ending)]) }
  },
})

/** Fields of the legs by their flags. */
function flagsOf({ above }: OcoCall['values']): Readonly<Record<string, string>> {
  const [first, second] = above === undefined ? ['--price', '--stop'] : ['--above', '--below']
  return {
    'legs[0].price': first!,
    'legs[0].stop_price': first!,
    'legs[1].stop_price': second!,
    'legs[0]': first!,
    'legs[1]': second!,
    ', or trigger_direction gte': '',
    ', or trigger_direction lte': '',
    expire_time: '--expire',
  }
}

type Leg = Readonly<{ side: 'bid' | 'ask'; amount: string; reduce_only: boolean }> &
  Readonly<{ price: string } | { stop_price: string; trigger_direction?: 'gte' | 'lte' }>

function legsOf({ values, words }: OcoCall): readonly [Leg, Leg] {
  const { price, stop, above, below } = values
  const side = sideOf(words[1]!)
  const other = side === 'bid' ? ('ask' as const) : ('bid' as const)
  const leg = { side, amount: words[2]!, reduce_only: values['reduce-only'] === true }
  const given = [price, stop, above, below].map((flag) => flag !== undefined).join()
  if (price !== undefined && stop !== undefined && given === 'true,true,false,false') {
    if (values['other-side'] === true)
      throw misused('--other-side is of two stops: an order and a stop do the same')
    return [
      { ...leg, price },
      { ...leg, stop_price: stop },
    ]
  }
  if (above === undefined || below === undefined || given !== 'false,false,true,true')
    throw misused('give --price and --stop, or --above and --below')
  return [
    { ...leg, stop_price: above, trigger_direction: 'gte' as const },
    {
      ...leg,
      side: values['other-side'] === true ? other : side,
      stop_price: below,
      trigger_direction: 'lte' as const,
    },
  ]
}
