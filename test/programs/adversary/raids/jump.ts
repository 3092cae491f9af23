// The raid on orders that wait: while a market order or a slice of a TWAP waits for its price, the
// price jumps in its favour. The ring is alone in the book, at the price of before.

import { lotsFor } from '../../../support/named-days/day.ts'
import { type Edition, START_TICKS } from '../../../support/venue/edition.ts'
import { Stage } from './stage.ts'

export const jumpDollars = 573_000
export const jumpKinds = ['market order', 'slice'] as const
export type JumpKind = (typeof jumpKinds)[number]
/** The first tick of the new price comes up to this many hundreds of ms after the order. */
export const jumpMoments = 8
export const jumpSlippagePpm = 5_000

const jumpPart = 0.08

/** What the ring gains at the price of after the jump, in micro-dollars. */
export function jumpRaid(edition: Edition, kind: JumpKind, moment: number): number {
  const stage = new Stage(edition, { ring: 2_000_000 }, { trader: 2_000_000 })
  const { venue } = stage
  const price = Math.ceil((START_TICKS * (1_000_000 - jumpSlippagePpm)) / 1_000_000)
  stage.place('ring', { dollars: jumpDollars, price })
  const size = lotsFor(jumpDollars)
  const own = { account: stage.ids.trader, proof: null, market: 1, side: 'ask' }
  const order = { size, slippagePpm: jumpSlippagePpm, reduceOnly: false, clientOrderId: null }
  if (kind === 'slice') {
    // The first one of three.
    const plan = { ...order, size: 3 * size, durationSeconds: 60 }
    venue.run({ type: 'PlaceTwap', ...own, ...plan })
    venue.run({ type: 'Tick' })
  } else {
    const none = { takeProfit: null, stopLoss: null }
    venue.run({ type: 'PlaceMarketOrder', ...own, ...order, ...none })
  }
  for (let ticks = 0; ticks < moment; ticks++) stage.tick(100, START_TICKS)
  const world = Math.round(START_TICKS * (1 + jumpPart))
  // What the ring has bought until then is its luck.
  const had = stage.wealth(world)
  for (let ticks = 0; ticks < 8; ticks++) stage.tick(100, world)
  for (let ticks = 0; ticks < 6; ticks++) stage.tick(3_000, world)
  return stage.wealth(world) - had
}

/** The most that the slippage gives, at the price of after the jump. */
export const jumpMost = Math.round(jumpDollars * jumpSlippagePpm * (1 + jumpPart))
