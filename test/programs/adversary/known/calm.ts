// Known attacks of rings that have a market of their own, in which no other account quotes. The
// mark is the oracle, so that a book of one's own moves funding, and what counts as margin, alone.

import type { Move, Script, When } from '../script.ts'
import { move, ring } from './moves.ts'

/** The one that loses is isolated, so that it has no more than its initial margin, and a third
 *  account keeps the book where it is wanted. */
const apart = move('flat', 'mode', { market: 1 })
const prop = (price: number, size = 99) =>
  move('always', 'prop', { who: 2, market: 1, price, size })
const ends = move('always', 'cancel', { who: 2, market: 1 })
const closes = move('always', 'hand-over', { market: 1 })

/** As far above the mark as may be: the one price where leverage is 20, the other at 50. */
function farAbove(when: When): readonly Move[] {
  return [
    move(when, 'pair-buy', { market: 1, size: 60, price: 64 }),
    move('after-tick', 'cancel', { who: 1, market: 1 }),
    move('flat', 'pair-buy', { market: 1, size: 60, price: 59, patience: 0 }),
  ]
}

/** The friend gets from the backstop what it gives away a little beyond the price. */
function buysBack(price: number): readonly Move[] {
  return [
    move('taken', price < 50 ? 'bid' : 'ask', { who: 1, market: 1, price }),
    move('changing', 'wait', { market: 1, patience: 22 }),
    move('always', 'cancel', { who: 1, market: 1 }),
  ]
}

const hour = [
  move('before-hour', 'wait', { market: 1 }),
  move('after-hour', 'wait', { market: 1 }),
] as const

export const knownInCalm: Readonly<Record<string, Script>> = {
  /** Opened far above the mark: little is left, and the friend buys from the backstop. */
  drop: ring([apart, ...farAbove('after-tick'), ...buysBack(44)], 3),
  /** The same, and a little is lost to the friend by funding of a book that is pushed. */
  toll: ring([apart, prop(63, 15), ...farAbove('before-hour'), ...hour, ...buysBack(44), ends], 3),
  /** Bought far below the index from a friend, and the profit at mark is used as margin. */
  profit: ring(
    [
      prop(36),
      move('after-tick', 'pair-buy', { market: 1, size: 60, price: 37 }),
      move('holding', 'pair-buy', { market: 2, size: 99, price: 56 }),
      ...hour,
      move('always', 'hand-over', { other: 2, market: 1, price: 37 }),
      move('always', 'withdraw', { who: 1 }),
      ends,
    ],
    3,
  ),
  /** The same in the book of others, which is away from the index, and with all it is worth. */
  mirage: ring([
    move('always', 'cancel', { who: 1, market: 1 }),
    move('always', 'ask', { who: 1, market: 1, size: 40, price: 96 }),
    ...[0, 1, 2].map(() => move('book-away', 'sweep', { size: 60 })),
    move('after-tick', 'wait'),
    move('always', 'spend', { market: 1, size: 95, price: 96 }),
    move('after-tick', 'wait'),
  ]),
  /** Larger than its backstop may hold: the friend is deleveraged, or closes first. */
  overfull: ring(
    [
      apart,
      ...[0, 1, 2].map(() => move('always', 'pair-buy', { market: 1, size: 99 })),
      move('taken', 'ask', { who: 2, market: 1, price: 51 }),
      ...hour,
      closes,
    ],
    3,
  ),
  /** Funding at its bound for hours: a position that is paid for is held against the backstop. */
  hostage: ring(
    [
      apart,
      move('after-tick', 'pair-buy', { market: 1, size: 60, price: 56 }),
      move('taken', 'prop', { who: 2, market: 1, price: 68 }),
      ...[1, 2, 3].flatMap(() => hour),
      ends,
    ],
    3,
  ),
  /** The other side of that: the friend is short, and receives what longs pay. */
  premium: ring(
    [
      prop(65),
      move('after-tick', 'pair-sell', { market: 1, size: 80 }),
      ...[1, 2].flatMap(() => hour),
      ends,
      closes,
      move('always', 'withdraw'),
    ],
    3,
  ),
}
