// `openperp positions`, `orders` and `balance`: an account as it is.

import type { Client } from '../../client/index.ts'
import { accountOf, accountOptions, asked, clientOf } from '../connection.ts'
import { command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { pairsOf, tableOf } from '../frame/screen.ts'
import { timeText } from './order-words.ts'

const isLong = (side: string) => (side === 'bid' ? 'long' : 'short')

export const positions = command({
  name: 'positions',
  group: 'trading',
  summary: 'Show the open positions of an account',
  options: accountOptions,
  examples: ['openperp positions --key alice', 'openperp positions --account <address> --json'],
  async run(call) {
    const client = clientOf(call)
    const account = accountOf(call)
    const rows = await asked(call, client.getPositions({ account }))
    const prices = await asked(call, client.getPrices())
    const markOf = (symbol: string) => prices.find((each) => each.symbol === symbol)?.mark ?? '-'
    const cells = rows.map((row) => [
      row.symbol,
      isLong(row.side),
      row.amount,
      shortened(row.entryPrice),
      markOf(row.symbol),
      // A cross position has no margin of its own; the API tells its profit there.
      row.isolated ? row.margin : '-',
      row.isolated ? 'isolated' : 'cross',
    ])
    const heads = ['market', 'side', 'amount', 'entry', 'mark', 'margin', 'mode']
    const lines = rows.length === 0 ? ['no open position'] : tableOf(heads, cells)
    return { json: rows, lines }
  },
})

/** Entry prices have up to 28 digits; on a screen twelve do. */
function shortened(text: string): string {
  return text.length > 14 && text.includes('.') ? `${text.slice(0, 13)}…` : text
}

export const orders = command({
  name: 'orders',
  group: 'trading',
  summary: 'Show the open orders of an account, or its past ones',
  about:
    'What makes orders by itself (icebergs, chases, TWAPs) follows the orders; with --json in ' +
    'the same list, known by its kind.',
  options: {
    ...accountOptions,
    history: { type: 'boolean', about: 'orders of the past as well, newest first' },
    symbol: { type: 'string', value: '<symbol>', about: 'only this market' },
    limit: { type: 'string', value: '<rows>', about: 'with --history: at most so many; 20' },
  },
  examples: ['openperp orders --key alice', 'openperp orders --history --limit 5'],
  async run(call) {
    const { values } = call
    const client = clientOf(call)
    const account = accountOf(call)
    if (values.history === true) {
      const limit = limitOf(values.limit ?? '20')
      const query = { account, symbol: values.symbol, limit }
      const { rows } = await asked(call, client.getOrderHistory(query))
      const heads = [
        'order',
        'market',
        'side',
        'type',
        'price',
        'amount',
        'filled',
        'status',
        'why',
      ]
      const cells = rows.map((row) => [
        `${row.order_id}`,
        row.symbol,
        row.side,
        row.order_type,
        row.stop_price ?? row.price,
        row.initial_amount,
        row.filled_amount,
        row.order_status,
        row.reason ?? '',
      ])
      return { json: rows, lines: rows.length === 0 ? ['no orders'] : tableOf(heads, cells) }
    }
    const open = await asked(call, client.getOpenOrders({ account }))
    const rows = open.rows.filter(({ symbol }) => symbol === (values.symbol ?? symbol))
    const heads = ['order', 'market', 'side', 'type', 'price', 'stop', 'amount', 'filled', 'since']
    const columns = [
      { head: 'ends', cell: (row: OpenOrder) => row.expire_time && timeText(row.expire_time) },
      { head: 'trails', cell: trailText },
      { head: 'oco', cell: (row: OpenOrder) => row.oco_order_id?.toString() },
      { head: 'mmp', cell: (row: OpenOrder) => (row.mmp === true ? 'yes' : undefined) },
    ].filter(({ cell }) => rows.some(cell))
    const cells = rows.map((row) => [
      `${row.order_id}`,
      row.symbol,
      row.side,
      row.reduce_only ? `${row.order_type} reduce` : row.order_type,
      row.price,
      row.stop_price ?? '-',
      row.initial_amount,
      row.filled_amount,
      timeText(row.created_at),
      ...columns.map(({ cell }) => cell(row) || '-'),
    ])
    const table = () => tableOf([...heads, ...columns.map(({ head }) => head)], cells)
    const isMeant = (algo: { symbol: string }) => algo.symbol === (values.symbol ?? algo.symbol)
    const algos = (await asked(call, client.getAlgoOrders({ account }))).filter(isMeant)
    const twaps = (await asked(call, client.getTwapOrders({ account })))
      .filter(isMeant)
      .map((twap) => ({ ...twap, kind: 'twap' as const }))
    const orderLines = rows.length === 0 ? ['no open orders'] : table()
    const lines = [...orderLines, ...algos.map(algoText), ...twaps.map(twapText)]
    return { json: [...rows, ...algos, ...twaps], lines }
  },
})

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

/** How far behind which price, or where it begins to follow. */
function trailText({ trailing }: OpenOrder): string | undefined {
  if (trailing === undefined) return undefined
  const { trailing_percent, trailing_distance, activation_price, extreme_price } = trailing
  const behind = trailing_percent === null ? trailing_distance : `${trailing_percent}%`
  return extreme_price === null
    ? `${behind}, from ${activation_price} on`
    : `${behind} behind ${extreme_price}`
}

function limitOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number.parseInt(text, 10)
  throw misused(`--limit ${text} is not a number from 1 to 4000`)
}

export const balance = command({
  name: 'balance',
  group: 'trading',
  summary: 'Show the money and margin of an account',
  options: accountOptions,
  examples: ['openperp balance --key alice', 'openperp balance --json'],
  async run(call) {
    const account = accountOf(call)
    const row = await asked(call, clientOf(call).getAccount({ account }))
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
