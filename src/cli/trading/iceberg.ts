// `openperp iceberg`: a size of which one part at a time is shown.

import { asked, signerOptions, signingClient } from '../connection.ts'
import { command } from '../frame/command.ts'
import { pairsOf } from '../frame/screen.ts'
import { expireOption, expireTimeIn } from './expiry.ts'
import { sideOf, timeText } from './order-words.ts'

export const iceberg = command({
  name: 'iceberg',
  group: 'trading',
  summary: 'Show a part of a size; the next comes when it is filled',
  about:
    'One part stands in the book at a time, and never takes. `openperp cancel` ends it by its ' +
    'id; five refusals in a row do, too.',
  arguments: [
    { name: 'symbol', about: 'market, such as BTC', required: true },
    { name: 'side', about: 'bid (buy, long) or ask (sell, short)', required: true },
    { name: 'amount', about: 'all of it, in the base asset', required: true },
    { name: 'price', about: 'where its parts stand', required: true },
    { name: 'display', about: 'size of a part; at most 100 parts in all', required: true },
  ],
  options: {
    ...signerOptions,
    ...expireOption,
    'reduce-only': { type: 'boolean', about: 'may only shrink the position' },
    'client-id': { type: 'string', value: '<uuid>', about: 'your own id of it' },
  },
  examples: [
    'openperp iceberg BTC bid 10 95000 0.5',
    'openperp iceberg ETH ask 50 3100 2 --expire 1h --reduce-only',
  ],
  async run(call) {
    const client = signingClient(call)
    const { values, words } = call
    const [symbol, side, amount, price, display] = words as [string, string, string, string, string]
    const now = async () => (await asked(call, client.getTime())).engine_now
    const { expire } = values
    const expire_time = expire === undefined ? undefined : await expireTimeIn(expire, now)
    const wish = { symbol, side: sideOf(side), amount, price, display_amount: display }
    const placed = await asked(
      call,
      client.createIcebergOrder({
        ...wish,
        reduce_only: values['reduce-only'] === true,
        client_order_id: values['client-id'],
        expire_time,
      }),
    )
    const ends: [string, string][] =
      expire_time === undefined ? [] : [['ends', timeText(expire_time)]]
    return {
      json: { ...placed, ...wish, ...(expire_time !== undefined && { expire_time }) },
      lines: pairsOf([
        ['order', `${placed.order_id}`],
        ['iceberg', `${wish.side} ${amount} ${symbol} at ${price}`],
        ['shows', display],
        ...ends,
      ]),
    }
  },
})
