// `openperp trail`: a trailing stop.

import { signerOptions, signingClient } from '../../connection.ts'
import { command } from '../../frame/command.ts'
import { endingIn, expireOption } from '../expiry.ts'
import { levelFields, levelOptions, levelsIn } from '../level-flags.ts'
import { marketAndSide, ownFlags, sideOf } from '../order-words.ts'
import { previewOption } from '../preview.ts'
import { sendStop } from './send-stop.ts'
import { slippageIn, stopFields, stopOptions, trailWatch } from './stop-flags.ts'

/** The shell's names of request fields. */
const flags = {
  ...levelFields,
  ...stopFields,
  'stop_order.trailing_percent': 'behind',
  'stop_order.trailing_distance': 'behind',
  expire_time: '--expire',
  client_order_id: '--client-id',
}

export const trail = command({
  name: 'trail',
  group: 'trading',
  summary: 'Place a trailing stop',
  about:
    'An ask stays so far below the highest mark, a bid so far above the lowest, and fires on the ' +
    'way back, at the market. The same as `openperp order … --trail`.',
  arguments: [
    ...marketAndSide,
    { name: 'amount', about: 'size in the base asset, such as 0.01', required: true },
    { name: 'behind', about: 'distance from the best mark: 1%, or 500 in price', required: true },
  ],
  options: {
    ...signerOptions,
    from: { ...stopOptions.from, about: 'activation mark (default: active immediately)' },
    slippage: {
      value: '<percent>',
      about: 'maximum distance from the mark, up to 10 (default: that of the market)',
    },
    ...levelOptions,
    ...expireOption,
    ...ownFlags,
    ...previewOption,
  },
  examples: [
    'openperp trail BTC ask 0.01 1% --reduce-only',
    'openperp trail BTC ask 0.01 500 --from 110000 --reduce-only',
    'openperp trail BTC bid 0.01 1% --sl 90000 --expire 1h --preview',
  ],
  async run(typed) {
    const call = { ...typed, said: { symbol: typed.words[0]!, flags } }
    const client = signingClient(call)
    const { values } = call
    const [symbol, side, amount, behind] = call.words as [string, string, string, string]
    return sendStop(call, client, {
      ...{ symbol, amount, side: sideOf(side) },
      reduce_only: values['reduce-only'] === true,
      client_order_id: values['client-id'],
      ...levelsIn(values),
      ...trailWatch(behind, values.from),
      bounds: slippageIn(values),
      ending: await endingIn(call, client),
    })
  },
})
