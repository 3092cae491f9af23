// `openperp positions` and `balance`: the present state of an account.

import { accountOf, accountOptions, readingClient, replyTo } from '../../connection.ts'
import { command } from '../../frame/command.ts'
import { pairsOf, tableOf } from '../../frame/screen.ts'

const isLong = (side: string) => (side === 'bid' ? 'long' : 'short')

export const positions = command({
  name: 'positions',
  group: 'trading',
  summary: 'Show the open positions of an account',
  options: accountOptions,
  examples: ['openperp positions --key alice', 'openperp positions --account <address> --json'],
  async run(call) {
    const client = readingClient(call)
    const account = accountOf(call)
    const rows = await replyTo(call, client.getPositions({ account }))
    const prices = await replyTo(call, client.getPrices())
    const markOf = (symbol: string) => prices.find((each) => each.symbol === symbol)?.mark ?? '-'
    const cells = rows.map((row) => [
      row.symbol,
      isLong(row.side),
      row.amount,
      shortened(row.entryPrice),
      markOf(row.symbol),
      // A cross position has no separate margin; the API reports its profit there.
      row.isolated ? row.margin : '-',
      row.isolated ? 'isolated' : 'cross',
    ])
    const heads = ['market', 'side', 'amount', 'entry', 'mark', 'margin', 'mode']
    const lines = rows.length === 0 ? ['no open position'] : tableOf(heads, cells)
    return { json: rows, lines }
  },
})

/** Entry prices have up to 28 digits, of which twelve are shown. */
function shortened(text: string): string {
  return text.length > 14 && text.includes('.') ? `${text.slice(0, 13)}…` : text
}

export const balance = command({
  name: 'balance',
  group: 'trading',
  summary: 'Show the money and margin of an account',
  options: accountOptions,
  examples: ['openperp balance --key alice', 'openperp balance --json'],
  async run(call) {
    const account = accountOf(call)
    const row = await replyTo(call, readingClient(call).getAccount({ account }))
    const stops = row.stop_orders_count
    return {
      json: { account, ...row },
      lines: pairsOf([
        ['account', account],
        ['equity', `${row.account_equity} USD`],
        ['balance', `${row.balance} USD`],
        ['available to spend', `${row.available_to_spend} USD`],
        ['available to withdraw', `${row.available_to_withdraw} USD`],
        ['margin used', `${row.total_margin_used} USD`],
        ['maintenance', `${row.cross_mmr} USD`],
        ['open', `${row.positions_count} positions, ${row.orders_count} orders, ${stops} stops`],
        ['fees', `maker ${row.maker_fee}, taker ${row.taker_fee} (level ${row.fee_level})`],
      ]),
    }
  },
})
