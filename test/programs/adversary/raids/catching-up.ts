// The raids on a mark that follows a jump at 2 % a second: Q, who knows the newest price, quotes
// near each next mark. No stop, take-profit or liquidation step may trade with it there.

import type { Edition } from '../../../support/venue/edition.ts'
import { Stage } from './stage.ts'

const dollars = 1_000_000

export const catchingUp = {
  'a take-profit on the way down': { side: -1, money: 300_000, world: 51_000, wick: false },
  'a stop-loss after a wick': { side: 1, money: 1_000_000, world: 60_000, wick: true },
  'a step after a wick': { side: 1, money: 107_000, world: 60_000, wick: true },
} as const
export type CatchingUp = keyof typeof catchingUp

/** What Q gains at the newest price, in micro-dollars. */
export function catchingUpRaid(edition: Edition, name: CatchingUp): number {
  const { side, money, world, wick } = catchingUp[name]
  const stage = new Stage(edition, { Q: 300_000 }, { V: money, W: 10_000_000 })
  stage.place('W', { dollars: -side * dollars, price: 60_000 })
  stage.place('V', { dollars: side * dollars, price: 60_000, tif: 'IOC' })
  stage.tick(3_000, 60_000)
  const own = { account: stage.ids.V, proof: null, market: 1 }
  const level = (stopPrice: number) => ({
    ...{ stopPrice, limitPrice: null, size: null, triggerBy: 'mark', clientOrderId: null },
  })
  const exits = {
    'a take-profit on the way down': { side: 'ask', takeProfit: [level(57_700)], stopLoss: null },
    'a stop-loss after a wick': { side: 'bid', takeProfit: null, stopLoss: [level(56_000)] },
    'a step after a wick': null,
  }[name]
  if (exits !== null) stage.venue.run({ type: 'SetPositionTpsl', ...own, ...exits })
  // To −12 %, which the mark reaches.
  if (wick) for (let ticks = 0; ticks < 2; ticks++) stage.tick(3_000, 52_800)
  const had = stage.wealth(world)
  const awayPpm = exits === null ? 1_500 : 4_500
  for (let second = 0; second < 8; second++) follow(stage, world, awayPpm)
  return stage.wealth(world) - had
}

/** Q quotes this far inside the next mark, which comes a second later. */
function follow(stage: Stage, world: number, awayPpm: number): void {
  const mark = stage.venue.markOf(1)
  const rises = world > mark
  const next = Math.round((mark * (rises ? 102 : 98)) / 100)
  const price = Math.round((next * (1_000_000 + (rises ? -awayPpm : awayPpm))) / 1_000_000)
  stage.place('Q', { dollars: rises ? 250_000 : -250_000, price })
  stage.venue.now += 950
  stage.tick(50, world)
  stage.venue.cancelAll(stage.ids.Q!, 1)
}
