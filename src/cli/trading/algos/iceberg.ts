// `openperp iceberg`: an order that shows one part of its size at a time.

import { replyTo, signingClient } from '../../connection.ts'
import { command } from '../../frame/command.ts'
import { pairsOf } from '../../frame/screen.ts'
import { endsPairs } from '../expiry.ts'
import { marketAndSide } from '../order-words.ts'
import { previewed } from '../preview.ts'
import { algoOptions, algoSaid, algoWish } from './options.ts'

export const iceberg = command({
  name: 'iceberg',
  group: 'trading',
  summary: 'Place an order that shows one part at a time',
  about:
    'One part rests in the book at a time, and never takes. It ends after five refusals in a ' +
    'row, or when `openperp cancel` is given its id.',
  arguments: [
    ...marketAndSide,
    { name: 'amount', about: 'total size, in the base asset', required: true },
    { name: 'price', about: 'limit price of the parts', required: true },
    { name: 'display', about: 'size of one part; up to 100 parts', required: true },
  ],
  options: algoOptions,
  examples: [
    'openperp iceberg BTC bid 10 95000 0.5',
    'openperp iceberg ETH ask 5 4000 0.5 --expire 1h',
    'openperp iceberg BTC bid 10 95000 0.5 --preview',
  ],
  async run(typed) {
    const call = { ...typed, said: algoSaid(typed.words) }
    const client = signingClient(call)
    const [, , amount, price, display] = call.words as [string, string, string, string, string]
    const wish = { ...(await algoWish(call, client)), amount, price, display_amount: display }
    if (call.values.preview === true) return previewed(call, client, wish)
    const placed = await replyTo(call, client.createIcebergOrder(wish))
    return {
      json: { ...placed, ...wish },
      lines: pairsOf([
        ['order', `${placed.order_id}`],
        ['iceberg', `${wish.side} ${amount} ${wish.symbol} at ${price}`],
        ['shows', display],
        ...endsPairs(wish),
      ]),
    }
  },
})
