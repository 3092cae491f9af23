// Margin ratios: maintenance margin over equity. At 1 the account or position is liquidated.

import type { AccountNumbers, Position } from '../wire.ts'
import { profitAt } from './positions.ts'

/** Ratio of the cross account. Isolated positions are covered only by their own margin. */
export function crossRatio({ cm, ce }: Pick<AccountNumbers, 'cm' | 'ce'>): number {
  return ratioOf(Number(cm), Number(ce))
}

/** Ratio of an isolated position. Its maintenance margin follows from its liquidation price, at
 *  which the exchange finds it equal to the equity. */
export function isolatedRatio(position: Position, mark: number): number {
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

/** The ratio that counts for a position: of itself if it is isolated, otherwise of the account. */
export function positionRatio(position: Position, mark: number, cross: number): number {
  return position.i ? isolatedRatio(position, mark) : cross
}

/** The worst of the cross account and all isolated positions. */
export function worstRatio(
  numbers: Pick<AccountNumbers, 'cm' | 'ce'>,
  positions: readonly Position[],
  markOf: (symbol: string) => number,
): number {
  const isolated = positions
    .filter(({ i }) => i)
    .map((position) => isolatedRatio(position, markOf(position.s)))
  return Math.max(crossRatio(numbers), ...isolated)
}

export const ratioTone = (ratio: number) => (ratio > 0.8 ? 'down' : ratio > 0.5 ? 'warn' : 'up')
