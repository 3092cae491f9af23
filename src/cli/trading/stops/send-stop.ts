// Sends or previews a stop: of `openperp order --stop` and `--trail`, and of `openperp trail`.

import type { Client } from '../../../client/client.ts'
import { replyTo } from '../../connection.ts'
import { pairsOf } from '../../frame/screen.ts'
import { type Ending, endsPairs } from '../expiry.ts'
import { levelPairs, type levelsIn } from '../level-flags.ts'
import { previewed } from '../preview.ts'
import type { stopWatch } from './stop-flags.ts'

type Stop = ReturnType<typeof stopWatch> &
  ReturnType<typeof levelsIn> &
  Readonly<{
    symbol: string
    side: 'bid' | 'ask'
    amount: string
    reduce_only: boolean
    client_order_id: string | undefined
    /** Slippage of its order. */
    bounds: Readonly<{ limit_price?: string; slippage_percent?: string }>
    ending: Ending
  }>

type StopCall = Parameters<typeof previewed>[0] &
  Readonly<{ values: { preview?: boolean; tp?: string; sl?: string } }>

export async function sendStop(call: StopCall, client: Client, stop: Stop) {
  const { symbol, side, amount, reduce_only, take_profit, stop_loss, ending } = stop
  const { client_order_id } = stop
  const wish = {
    ...{ symbol, side, reduce_only, take_profit, stop_loss },
    ...ending,
    stop_order: {
      ...stop.watched,
      amount,
      ...stop.bounds,
      ...(client_order_id !== undefined && { client_order_id }),
    },
  }
  if (call.values.preview === true) return previewed(call, client, wish)
  const placed = await replyTo(call, client.createStopOrder(wish))
  const pairs: [string, string][] = [
    ['stop', `${placed.order_id}`],
    ['waits for', stop.waits],
  ]
  const { slippage_percent: slippage } = stop.bounds
  if (slippage !== undefined) pairs.push(['slippage', `up to ${slippage} % from the mark`])
  return {
    json: { order_id: placed.order_id, order_status: 'open', ...ending },
    lines: pairsOf([...pairs, ...endsPairs(ending), ...levelPairs(call.values)]),
  }
}
