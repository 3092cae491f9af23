// The words that events use, and what kinds of fields there are. A word is kept as its place in its
// list, so new ones go to the end.

import { algoKinds } from '../algos/algo.ts'
import { rejections } from '../commands/rejections.ts'
import { orderTypeNames } from '../orders/order-types.ts'
import { tifs } from '../orders/times-in-force.ts'

export { algoKinds, tifs }
export const sides = ['bid', 'ask'] as const
export const modes = ['open', 'reduce_only', 'post_only', 'cancel_only', 'halted'] as const
export const triggerBys = ['mark', 'last', 'mid'] as const
export const feedHealths = ['live', 'stale', 'cancel_only'] as const
/** Why an order exists. */
export const origins = ['user', 'trigger', 'algo', 'liquidation', 'backstop'] as const
/** Why lots changed hands. */
export const causes = [
  'normal',
  'market_liquidation',
  'backstop_liquidation',
  'deleverage',
  'settlement',
] as const
export const fillKinds = [
  'open_long',
  'open_short',
  'close_long',
  'close_short',
  'force_close_long',
  'force_close_short',
] as const
export const roles = ['maker', 'taker'] as const
/** Why an order ended unfilled; `refused` carries the rejection that ended it. */
export const cancelReasons = [
  'owner',
  'replaced',
  'expired',
  'post_only_rejected',
  'self_trade_prevented',
  'margin',
  'reduce_only',
  'open_interest',
  'liquidation',
  'market_closed',
  'scheduled',
  'parent_ended',
  'refused',
  'disconnected',
  'mmp',
  'oco',
] as const
/** Why an agent's binding ended without its owner. */
export const unbindings = [
  'confirmed_elsewhere',
  'address_in_use',
  'crowded_out',
  'operator',
] as const
export const algoEnds = [
  'finished',
  'owner',
  'liquidation',
  'market_closed',
  'expired',
  'refused',
] as const
export const rejectionNames = Object.keys(rejections) as (keyof typeof rejections)[]

const kinds = {
  side: sides,
  tif: tifs,
  mode: modes,
  triggerBy: triggerBys,
  feedHealth: feedHealths,
  origin: origins,
  orderType: orderTypeNames,
  cause: causes,
  fillKind: fillKinds,
  role: roles,
  cancelReason: cancelReasons,
  algoKind: algoKinds,
  algoEnd: algoEnds,
  unbinding: unbindings,
  rejection: rejectionNames,
} as const

/** The lists behind the fields that hold a word: the row keeps its index. */
export const words: Readonly<Record<string, readonly string[]>> = kinds

export type FieldTypes = { [W in keyof typeof kinds]: (typeof kinds)[W][number] } & {
  int: number
  flag: boolean
  text: string | null
}
export type FieldKind = keyof FieldTypes
