// `openperp markets`: what can be traded, at what price.

import { asked, clientOf, serverOptions } from '../connection.ts'
import { command } from '../frame/command.ts'
import { tableOf } from '../frame/screen.ts'

export const markets = command({
  name: 'markets',
  group: 'trading',
  summary: 'List the markets with prices, steps and limits',
  options: serverOptions,
  examples: ['openperp markets', 'openperp markets --json'],
  async run(call) {
    const client = clientOf(call)
    const [infos, prices, risk] = await asked(
      call,
      Promise.all([client.getInfo(), client.getPrices(), client.getRisk()]),
    )
    const rows = infos.map((info) => ({
      ...info,
      ...prices.find(({ symbol }) => symbol === info.symbol),
      status: risk.markets.find(({ symbol }) => symbol === info.symbol)?.status ?? 'live',
    }))
    const heads = [
      'market',
      'mark',
      'index',
      'tick',
      'lot',
      'min USD',
      'leverage',
      'funding/h',
      'status',
    ]
    const cells = rows.map((row) => [
      row.symbol,
      row.mark ?? '-',
      row.oracle ?? '-',
      row.tick_size,
      row.lot_size,
      row.min_order_size,
      `${row.max_leverage}`,
      row.funding_rate,
      row.status,
    ])
    return { json: rows, lines: tableOf(heads, cells) }
  },
})
