// Known attacks of rings that have a market of their own, in which nobody else quotes: they push
// the mark, and hand what that is worth to the backstop, or take it from there.

import { move, ring } from '../known.ts'
import type { Move, Script, When } from '../script.ts'

/** In a market of their own, in calm weather: the one that loses is isolated, so that it has no
 *  more than its initial margin, and a third account keeps the mark where it is wanted. */
const apart = move('flat', 'mode', { market: 1 })
const prop = (price: number, size = 99) =>
  move('always', 'prop', { who: 2, market: 1, price, size })
const ends = move('always', 'cancel', { who: 2, market: 1 })
const settles = move('level', 'wait', { market: 1 })
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
    settles,
    move('taken', price < 50 ? 'bid' : 'ask', { who: 1, market: 1, price }),
    move('changing', 'wait', { market: 1, patience: 22 }),
    move('always', 'cancel', { who: 1, market: 1 }),
  ]
}

function atEdge(mark: number, opens: 'pair-buy' | 'pair-sell', back: number): Script {
  const moves = [
    apart,
    prop(mark),
    move('edge', opens, { market: 1, size: 60 }),
    move('taken', 'prop', { who: 2, market: 1, size: 15 }),
    ...buysBack(back),
    ends,
    closes,
  ]
  return ring(moves, 3)
}

export const knownInCalm: Readonly<Record<string, Script>> = {
  /** Opened at a mark that is kept at its edge, and taken over there when the price has fallen. */
  edge: atEdge(65, 'pair-buy', 44),
  /** The same with a mark that is kept below, and a short. */
  floor: atEdge(35, 'pair-sell', 56),
  /** Opened far above the edge; the push ends, and the friend buys from the backstop. */
  drop: ring([apart, prop(65), ...farAbove('edge'), prop(50, 15), ...buysBack(44), ends], 3),
  /** The same, and a little is lost to the friend by funding. */
  toll: ring(
    [
      apart,
      prop(63, 15),
      ...farAbove('before-hour'),
      move('after-hour', 'prop', { who: 2, market: 1, size: 15 }),
      ...buysBack(44),
      ends,
    ],
    3,
  ),
  /** Two positions, of which one is at a mark that is pushed. */
  both: ring(
    [
      prop(65),
      move('always', 'pair-buy', { market: 2, size: 10 }),
      move('edge', 'pair-buy', { market: 1, size: 80 }),
      move('taken', 'prop', { who: 2, market: 1, size: 15 }),
      ...buysBack(44),
      ends,
    ],
    3,
  ),
  /** Too large for its backstop: the push goes on while the price falls, and ends when nothing is
   *  left. */
  stilts: ring(
    [
      apart,
      prop(65),
      move('edge', 'pair-buy', { market: 1, size: 60 }),
      move('hollow', 'wait', { market: 1 }),
      prop(50),
      settles,
      closes,
    ],
    3,
  ),
  /** A mark that is kept behind the oracle, where the backstop is full and the friend closes. */
  sink: ring(
    [
      apart,
      prop(35),
      move('edge', 'prop', { who: 2, market: 1 }),
      ...farAbove('level'),
      prop(35),
      move('flat', 'cancel', { who: 2, market: 1 }),
      closes,
    ],
    3,
  ),
  /** The backstop holds what nobody buys from it, and pays funding to the friend. */
  hostage: ring(
    [
      apart,
      prop(65),
      move('edge', 'pair-buy', { market: 1, size: 60, price: 56 }),
      prop(50),
      move('taken', 'prop', { who: 2, market: 1, price: 68 }),
      ...[1, 2, 3].flatMap(() => [
        move('before-hour', 'wait', { market: 1 }),
        move('after-hour', 'wait', { market: 1 }),
      ]),
    ],
    3,
  ),
}
