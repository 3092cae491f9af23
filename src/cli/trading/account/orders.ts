// `openperp orders`: waiting, running and past orders of an account.

import type { Client } from '../../../client/index.ts'
import { accountOf, accountOptions, readingClient, replyTo } from '../../connection.ts'
import { type Call, command } from '../../frame/command.ts'
import { misused } from '../../frame/exit-codes.ts'
import { tableOf } from '../../frame/screen.ts'
import { timeText } from '../order-words.ts'
import { isStopRow, leftText, parentText, priceCell, trailText } from './order-cells.ts'

const options = {
  ...accountOptions,
  history: { about: 'include past orders, newest first' },
  symbol: { value: '<symbol>', about: 'only this market' },
  limit: { value: '<rows>', about: 'with --history: maximum rows (default: 20)' },
} as const

type OrdersCall = Call<typeof options>

export const orders = command({
  name: 'orders',
  group: 'trading',
  summary: 'Show the open orders of an account, or its past ones',
  about:
    'Icebergs, chases and TWAPs are listed after the orders. With --json they are in the same ' +
    'list, distinguished by kind. A stop with the status fired (with --json: filled) has not ' +
    'traded itself: the fills are those of the order that it placed. This order is marked as ' +
    'triggered while it is retried with each new price, until the position is closed.',
  options,
  examples: ['openperp orders --key alice', 'openperp orders --history --limit 5'],
  async run(call) {
    const { values } = call
    if (values.limit !== undefined && values.history !== true)
      throw misused('--limit is of the past: give --history too', 'open orders are all shown')
    const client = readingClient(call)
    const query = { account: accountOf(call), limit: limitOf(values.limit ?? '20') }
    // Account reads omit unknown markets; the book of an unknown market is refused.
    if (values.symbol !== undefined)
      await replyTo(
        { ...call, said: { symbol: values.symbol, flags: {} } },
        client.getBook({ symbol: values.symbol, depth: 1 }),
      )
    return values.history === true ? past(call, client, query) : open(call, client, query)
  },
})

type Query = Readonly<{ account: string; limit: number }>

async function past(call: OrdersCall, client: Client, query: Query) {
  const { symbol } = call.values
  const { rows } = await replyTo(call, client.getOrderHistory({ ...query, symbol }))
  const heads = ['order', 'market', 'side', 'type', 'price', 'amount', 'filled', 'status', 'why']
  const columns = [{ head: 'parent', cell: parentText }].filter(({ cell }) => rows.some(cell))
  const cells = rows.map((row) => [
    `${row.order_id}`,
    row.symbol,
    row.side,
    row.order_type,
    row.stop_price ?? row.price,
    row.initial_amount,
    row.filled_amount,
    statusText(row),
    row.reason ?? '',
    ...columns.map(({ cell }) => cell(row) || '-'),
  ])
  const table = () => tableOf([...heads, ...columns.map(({ head }) => head)], cells)
  return { json: rows, lines: rows.length === 0 ? ['no orders'] : table() }
}

type PastOrder = Awaited<ReturnType<Client['getOrderHistory']>>['rows'][number]

function statusText(row: PastOrder): string {
  if (row.triggered === true) return 'triggered'
  return row.order_status === 'filled' && isStopRow(row) ? 'fired' : row.order_status
}

async function open(call: OrdersCall, client: Client, { account }: Query) {
  const wanted = call.values.symbol
  const isMeant = ({ symbol }: { symbol: string }) => symbol === (wanted ?? symbol)
  const rows = (await replyTo(call, client.getOpenOrders({ account }))).rows.filter(isMeant)
  const heads = ['order', 'market', 'side', 'type', 'price', 'stop', 'amount', 'filled', 'since']
  const columns = [
    { head: 'state', cell: (row: OpenOrder) => (row.triggered === true ? 'triggered' : undefined) },
    { head: 'left', cell: leftText },
    { head: 'ends', cell: (row: OpenOrder) => row.expire_time && timeText(row.expire_time) },
    { head: 'trails', cell: trailText },
    { head: 'slips', cell: (row: OpenOrder) => row.slippage_percent && `${row.slippage_percent}%` },
    { head: 'oco', cell: (row: OpenOrder) => row.oco_order_id?.toString() },
    { head: 'parent', cell: parentText },
    { head: 'mmp', cell: (row: OpenOrder) => (row.mmp === true ? 'yes' : undefined) },
  ].filter(({ cell }) => rows.some(cell))
  const cells = rows.map((row) => [
    `${row.order_id}`,
    row.symbol,
    row.side,
    row.reduce_only ? `${row.order_type} reduce` : row.order_type,
    priceCell(row),
    row.stop_price ?? '-',
    row.initial_amount,
    row.filled_amount,
    timeText(row.created_at),
    ...columns.map(({ cell }) => cell(row) || '-'),
  ])
  const table = () => tableOf([...heads, ...columns.map(({ head }) => head)], cells)
  const algos = (await replyTo(call, client.getAlgoOrders({ account }))).filter(isMeant)
  const twaps = (await replyTo(call, client.getTwapOrders({ account })))
    .filter(isMeant)
    .map((twap) => ({ ...twap, kind: 'twap' as const }))
  const orderLines = rows.length === 0 ? ['no open orders'] : table()
  const lines = [...orderLines, ...algos.map(algoText), ...twaps.map(twapText)]
  return { json: [...rows, ...algos, ...twaps], lines }
}

type OpenOrder = Awaited<ReturnType<Client['getOpenOrders']>>['rows'][number]

type OpenAlgo = Awaited<ReturnType<Client['getAlgoOrders']>>[number]

/** What makes orders by itself: those are in the list, and end with it. */
function algoText({ kind, order_id, symbol, side, price, ...algo }: OpenAlgo): string {
  const done = `${algo.filled_amount} of ${algo.initial_amount}`
  const where = `${kind === 'chase' ? 'to' : 'at'} ${price}`
  return `${kind} ${order_id}: ${side} ${symbol} ${where}, ${done} filled`
}

type OpenTwap = Awaited<ReturnType<Client['getTwapOrders']>>[number]

function twapText({ order_id, symbol, side, ...twap }: OpenTwap): string {
  const done = `${twap.filled_amount} of ${twap.initial_amount}`
  return `TWAP ${order_id}: ${side} ${symbol} until ${timeText(twap.expiration)}, ${done} filled`
}

function limitOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number.parseInt(text, 10)
  throw misused(`--limit ${text} is not a number from 1 to 4000`)
}
