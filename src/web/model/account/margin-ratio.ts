// The margin ratios that the terminal shows.

import { crossRatio, isolatedRatio } from '../../../client/margin-ratio.ts'
import type { AccountNumbers, Position } from '../wire.ts'

export { crossRatio, isolatedRatio }

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
