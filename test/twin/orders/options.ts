// What few orders ask for beside the ordinary (docs/rules/orders.md, ORDER-15 and ORDER-18).

import type { PlaceMarketOrder, PlaceOrder, Stp } from '../../../src/core/commands/commands.ts'
import { isTif, mayTake } from './times-in-force.ts'

export type Options = { stp: Stp; mmp: boolean }

export const noOptions: Options = { stp: 'cancel_maker', mmp: false }

export const optionsOf = ({ stp, mmp }: Options): Options => ({ stp, mmp })

/** What a command asks for; a market order never stands as a quote. */
export function askedOptions(command: PlaceOrder | PlaceMarketOrder): Options {
  return {
    stp: command.stp ?? noOptions.stp,
    mmp: command.type === 'PlaceOrder' && command.mmp === true,
  }
}

export function areGood(command: PlaceOrder | PlaceMarketOrder): boolean {
  const { stp, mmp } = askedOptions(command)
  if (!['cancel_maker', 'cancel_taker', 'cancel_both'].includes(stp)) return false
  // ORDER-18: a quote does not take.
  if (!mmp || command.type === 'PlaceMarketOrder') return true
  return isTif(command.tif) && !mayTake(command.tif)
}
