// Profit of a position, and margin ratios: maintenance margin over equity. At 1 the account or the
// position is liquidated.

import type { DataOf } from './stream/frames.ts'

type Position = DataOf<'account_positions'>[number]
type Sides = Pick<Position, 'd' | 'p' | 'a'>
type Account = Pick<DataOf<'account_data'>, 'cm' | 'ce'>

/** Profit of a position with this entry and size at a price. */
export function profitAt({ d, p, a }: Sides, price: number): number {
  return (price - Number(p)) * Number(a) * (d === 'bid' ? 1 : -1)
}

/** Ratio of the cross account. Isolated positions are covered only by their own margin. */
export function crossRatio({ cm, ce }: Account): number {
  return ratioOf(Number(cm), Number(ce))
}

/** Ratio of an isolated position. Its maintenance margin follows from its liquidation price, at
 *  which the exchange finds it equal to the equity. */
export function isolatedRatio(position: Sides & Pick<Position, 'l' | 'm'>, mark: number): number {
  if (position.l === null) return 0
  const at = Number(position.l)
  const margin = Number(position.m)
  const maintenance = ((margin + profitAt(position, at)) / at) * mark
  return ratioOf(Math.max(0, maintenance), margin + profitAt(position, mark))
}

function ratioOf(maintenance: number, equity: number): number {
  if (maintenance === 0) return 0
  return equity > 0 ? Math.min(1, maintenance / equity) : 1
}
