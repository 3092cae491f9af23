// Options of orders that few orders use (docs/rules/orders.md, ORDER-15 and ORDER-18).

import type { PlaceMarketOrder, PlaceOrder } from '../../../src/core/commands/commands.ts'
import type { SelfTradeMode } from '../../../src/words/order-words.ts'
import { isTif, mayTake } from './times-in-force.ts'

export type Options = { stp: SelfTradeMode; mmp: boolean }

export const noOptions: Options = { stp: 'cancel_maker', mmp: false }

export const optionsOf = ({ stp, mmp }: Options): Options => ({ stp, mmp })

/** Options of a command; a market order is never a quote. */
export function optionsGiven(command: PlaceOrder | PlaceMarketOrder): Options {
  return {
    stp: command.stp ?? noOptions.stp,
    mmp: command.type === 'PlaceOrder' && command.mmp === true,
  }
}

export function areGood(command: PlaceOrder | PlaceMarketOrder): boolean {
  const { stp, mmp } = optionsGiven(command)
  if (!['cancel_maker', 'cancel_taker', 'cancel_both'].includes(stp)) return false
  // ORDER-18: a quote does not take.
  if (!mmp || command.type === 'PlaceMarketOrder') return true
  return isTif(command.tif) && !mayTake(command.tif)
}
