// `openperp chase`: an order that stays at the best price.

import { replyTo, signingClient } from '../../connection.ts'
import { command } from '../../frame/command.ts'
import { pairsOf } from '../../frame/screen.ts'
import { endsPairs } from '../expiry.ts'
import { marketAndSide } from '../order-words.ts'
import { previewed } from '../preview.ts'
import { algoOptions, algoSaid, algoWish } from './options.ts'

export const chase = command({
  name: 'chase',
  group: 'trading',
  summary: 'Keep an order at the best price as a maker, up to a price limit',
  about:
    'A chase moves its order to the best price of other accounts once a second, and never takes. ' +
    'It ignores quotes that cannot be traded with. It ends after an hour (or at --expire), after ' +
    'five refusals in a row, or when it is cancelled by its id with `openperp cancel`.',
  arguments: [
    ...marketAndSide,
    { name: 'amount', about: 'total size, in the base asset', required: true },
    { name: 'bound', about: 'highest price of a bid, lowest price of an ask', required: true },
  ],
  options: algoOptions,
  examples: [
    'openperp chase BTC bid 0.5 95100',
    'openperp chase ETH ask 1 3000 --expire 15m',
    'openperp chase BTC bid 0.5 95100 --preview',
  ],
  async run(typed) {
    const call = { ...typed, said: algoSaid(typed.words) }
    const client = signingClient(call)
    const [, , amount, bound] = call.words as [string, string, string, string]
    const wish = { ...(await algoWish(call, client)), amount, price: bound }
    if (call.values.preview === true) return previewed(call, client, { ...wish, chase: true })
    const placed = await replyTo(call, client.createChaseOrder(wish))
    const most = wish.side === 'bid' ? 'at most to' : 'at least to'
    return {
      json: { ...placed, ...wish },
      lines: pairsOf([
        ['order', `${placed.order_id}`],
        ['chase', `${wish.side} ${amount} ${wish.symbol}, ${most} ${bound}`],
        ...endsPairs(wish),
      ]),
    }
  },
})
