// Reports stops, levels and algos that failed when they were due, with a notice that stays, because
// no reply can report them. Streams report the end, histories the reason.

import type { Client } from '../../../client/client.ts'
import { isStop } from '../account/positions.ts'
import type { Trader } from '../account/trader.ts'
import type { Desk } from '../desk.ts'
import { amountText, fixed, wordsOf } from '../number-text.ts'
import type { AlgoRow, OpenAlgo, OpenTwap, OrderRow, OrderUpdate } from '../wire.ts'
import { endWords } from '../words/end-words.ts'
import { sentence } from '../words/sentence.ts'

type Parts = Pick<Desk, 'explain' | 'markets' | 'notices' | 'showTab'>

/** Whether a reason is the name of a rule that refused the order. */
const isRefusal = (reason: string | null) => reason !== null && /^[A-Z_]+$/.test(reason)

const tries = 5
const againMs = 400

/** Reads rows with retries, because histories are written after the streams are published. */
async function found<Row>(ask: () => Promise<readonly Row[]>, count: number) {
  let rows: readonly Row[] = []
  for (let at = 0; at < tries && rows.length < count; at++) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, againMs))
    rows = await ask().catch(() => [])
  }
  return rows
}

/** Notifies of orders that failed. */
export async function notifyFailedStops(
  desk: Parts,
  { client, address }: Trader,
  rows: readonly OrderUpdate[],
) {
  for (const row of rows) if (hasRunOut(row)) notifyRunOut(desk, row)
  const ended = new Set(
    rows.filter((row) => isStop(row) && row.oe === 'force_cancel').map(({ i }) => i),
  )
  if (ended.size === 0) return
  const its = await found(async () => {
    const page = await client.getOrderHistory({ account: address, limit: 100 })
    return page.rows.filter(({ order_id, reason }) => ended.has(order_id) && reason !== null)
  }, ended.size)
  for (const row of its) if (isRefusal(row.reason)) notifyStop(desk, row)
}

/** Whether the order of a triggered stop expired before its position was closed. No other
 *  reduce-only market order expires. */
const hasRunOut = ({ ot, r, oe, expire_time }: OrderUpdate) =>
  ot === 'market' && r && oe === 'expired' && expire_time !== undefined

function notifyRunOut(desk: Parts, order: OrderUpdate): void {
  const { i: orderId, s: symbol, a, f } = order
  desk.notices.show({
    kind: 'bad',
    about: `failed ${orderId}`,
    title: `Triggered stop expired, ${symbol}`,
    text:
      `${amountText(f)} of ${amountText(a)} were filled in its time. ` +
      'The position is still open, without this stop.',
    stays: true,
    link: { label: 'Events', open: () => desk.explain({ about: 'order', id: orderId }) },
  })
}

function notifyStop(desk: Parts, row: OrderRow): void {
  const { order_id: orderId, symbol, side, stop_price, amount, order_type, reason } = row
  const { tickPlaces } = desk.markets.gridOf(symbol)
  const at = stop_price === null ? '' : ` at ${fixed(stop_price, tickPlaces)}`
  desk.notices.show({
    kind: 'bad',
    about: `failed ${orderId}`,
    title: `${wordsOf(order_type)} failed, ${symbol}`,
    text:
      `The stop fired${at}, but the order to ${side === 'bid' ? 'buy' : 'sell'} ` +
      `${amountText(amount)} was ${endWords(reason ?? '')}. Nothing was traded.`,
    stays: true,
    link: { label: 'Events', open: () => desk.explain({ about: 'order', id: orderId }) },
  })
}

/** Notifies of failed algos, given the algos before and after a change. */
export async function notifyFailedAlgos(
  desk: Parts,
  { client, address }: Trader,
  before: readonly OpenAlgo[],
  after: readonly OpenAlgo[],
) {
  const open = new Set(after.map(({ order_id }) => order_id))
  const gone = new Set(before.map(({ order_id }) => order_id).filter((id) => !open.has(id)))
  if (gone.size === 0) return
  const its = await found(async () => {
    const page = await client.getAlgoHistory({ account: address, limit: 100 })
    return page.rows.filter((row) => gone.has(row.order_id) && isOver(row))
  }, gone.size)
  for (const row of its) if (row.reason === 'refused') notifyAlgo(desk, row)
}

const isOver = ({ order_status, reason }: AlgoRow) => reason !== null || order_status === 'filled'

function notifyAlgo(desk: Parts, row: AlgoRow): void {
  const { order_id, kind, symbol, filled_amount, initial_amount } = row
  desk.notices.show({
    kind: 'bad',
    about: `failed ${order_id}`,
    title: `${wordsOf(kind)} failed, ${symbol}`,
    text:
      'Too many orders in a row were refused. The algo ended with ' +
      `${amountText(filled_amount)} of ${amountText(initial_amount)} filled.`,
    stays: true,
    link: { label: 'Stops & algos', open: () => desk.showTab('work') },
  })
}

/** Returns why a TWAP is not filled although slices ran. A preview of the next slice would be
 *  refused for the same reason. */
export async function sliceRefusal(
  visitor: Pick<Client, 'previewOrder'>,
  account: string,
  twap: OpenTwap,
): Promise<string> {
  const { symbol, side, planned_sub_order_amount: amount, reduce_only, slippage_percent } = twap
  const wish = { account, symbol, side, amount, reduce_only, slippage_percent }
  const preview = await visitor.previewOrder(wish).catch(() => null)
  const against = preview?.error ?? preview?.rejected
  return against === undefined ? 'nothing filled yet' : `slices are refused: ${sentence(against)}`
}
