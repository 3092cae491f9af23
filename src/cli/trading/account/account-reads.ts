// `openperp positions` and `balance`: the present state of an account.

import type { Client } from '../../../client/client.ts'
import { crossRatio, isolatedRatio, profitAt } from '../../../client/margin-ratio.ts'
import type { DataOf, ParamsOf } from '../../../client/stream/frames.ts'
import { accountOf, accountOptions, readingClient, replyTo } from '../../connection.ts'
import { command } from '../../frame/command.ts'
import { pairsOf, tableOf } from '../../frame/screen.ts'

const isLong = (side: string) => (side === 'bid' ? 'long' : 'short')

export const positions = command({
  name: 'positions',
  group: 'trading',
  summary: 'Show open positions with profit, liquidation price and margin ratio',
  options: accountOptions,
  examples: ['openperp positions --key alice', 'openperp positions --account <address> --json'],
  async run(call) {
    const client = readingClient(call)
    const account = accountOf(call)
    const rows = await replyTo(call, client.getPositions({ account }))
    if (rows.length === 0 || call.screen.json) return { json: rows, lines: ['no open position'] }
    const prices = await replyTo(call, client.getPrices())
    const state = await streamedState(client)
    const cells = rows.map((row) => {
      const mark = prices.find(({ symbol }) => symbol === row.symbol)?.mark ?? null
      return [
        row.symbol,
        isLong(row.side),
        row.amount,
        shortened(row.entryPrice),
        mark ?? '-',
        ...riskCells(row.symbol, mark, state),
        // A cross position has no separate margin; the API reports its profit there.
        row.isolated ? row.margin : '-',
        row.isolated ? 'isolated' : 'cross',
      ]
    })
    return { json: rows, lines: tableOf(heads, cells) }
  },
})

const heads = [
  ...['market', 'side', 'amount', 'entry', 'mark'],
  ...['profit', 'liquidation', 'ratio', 'margin', 'mode'],
]

type State = Readonly<{
  positions: readonly DataOf<'account_positions'>[number][]
  numbers: DataOf<'account_data'>
}>

const streamMsMax = 5_000

/** Liquidation prices and margins, which only the stream has; `null` if it does not answer. */
async function streamedState(client: Client): Promise<State | null> {
  const stream = client.stream()
  const first = <S extends 'account_positions' | 'account_data'>(source: S) =>
    new Promise<DataOf<S>>((frame, refused) => {
      const receive = ({ data }: Readonly<{ data: DataOf<S> }>) => frame(data)
      stream.subscribe<S>(source, {} as ParamsOf<S>, { frame: receive, refused })
    })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((done) => {
    timer = setTimeout(done, streamMsMax, null)
  })
  const both = Promise.all([first('account_positions'), first('account_data')])
  const state = both.then(([positions, numbers]) => ({ positions, numbers }))
  return Promise.race([state.catch(() => null), late]).finally(() => {
    clearTimeout(timer)
    stream.close()
  })
}

/** Profit, liquidation price and margin ratio: maintenance over equity, 100 % is liquidated. */
function riskCells(symbol: string, mark: string | null, state: State | null): readonly string[] {
  const position = state?.positions.find(({ s }) => s === symbol)
  if (state === null || position === undefined || mark === null) return ['-', '-', '-']
  const profit = profitAt(position, Number(mark)).toFixed(2)
  const ratio = position.i ? isolatedRatio(position, Number(mark)) : crossRatio(state.numbers)
  return [profit, position.l ?? '-', `${(ratio * 100).toFixed(1)} %`]
}

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
