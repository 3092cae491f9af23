// Attacks of rings that know the world's price before the exchange does, or that use what the
// exchange does by its own clock: samples, backstop sales, restarts, ends of its grid.

import type { Script } from '../script.ts'
import { move, ring } from './moves.ts'

/** More than a world is long. */
const ends = move('later', 'wait')
/** A tick may release what it has sent. */
const settles = move('after-tick', 'wait')

export const knownLate: Readonly<Record<string, Script>> = {
  /** Sources are slower than the speed bump: both add at the price of before. */
  cadence: ring(
    [
      move('leap-down', 'pair-sell'),
      move('leap-up', 'pair-buy', { who: 2, other: 3 }),
      move('always', 'withdraw'),
      move('always', 'withdraw', { who: 2 }),
    ],
    4,
  ),
  /** The same with a taker who reduces: the fresh maker is the one who adds. */
  reduces: ring(
    [
      move('flat', 'pair-buy', { who: 0, other: 2 }),
      move('leap-down', 'hand-over', { who: 0, other: 1 }),
      ends,
    ],
    3,
  ),
  /** Both at the end of the grid, which the price has left. */
  grid: ring(
    [
      move('off-grid', 'pair-buy', { market: 1, price: 50 }),
      move('off-grid', 'pair-buy-outside', { who: 2, other: 3, market: 1 }),
      move('later', 'wait', { size: 0 }),
      move('always', 'hand-over', { market: 1 }),
      move('always', 'withdraw', { who: 1 }),
    ],
    4,
  ),
  /** Profit of a book that is away from the index carries more of the same. */
  away: ring(
    [
      move('always', 'prop', { who: 2, market: 1, price: 34 }),
      move('always', 'pair-buy', { market: 1, size: 50, price: 36 }),
      move('winning', 'pair-sell', { who: 0, other: 3, market: 0 }),
      move('winning', 'hand-over', { other: 3, market: 1, price: 34 }),
      move('always', 'withdraw', { who: 3 }),
      move('always', 'cancel', { who: 2, market: 1 }),
    ],
    4,
  ),
  /** Takes the book that is away from the index, and loses to a friend what that is worth at mark:
   *  above it, then below. If the index comes to the book, others pay for what is left. */
  mirage: ring([
    move('flat', 'withdraw', { patience: 0 }),
    move('flat', 'deposit', { size: 39, patience: 0 }),
    ...[0, 1].flatMap(() => [move('book-away', 'sweep'), settles, settles]),
    move('always', 'cancel', { who: 1, market: 1 }),
    move('always', 'ask', { who: 1, market: 1, size: 20, price: 78 }),
    move('always', 'spend', { market: 1, size: 95, price: 80 }),
    settles,
    settles,
    move('always', 'hand-over', { market: 1, price: 24 }),
    settles,
  ]),
  /** Several reduce-only orders of one position, and a friend who takes all of them. */
  cover: ring(
    [
      move('flat', 'pair-buy', { market: 1, size: 4 }),
      move('holding', 'cover', { market: 1 }),
      move('always', 'buy', { who: 2, market: 1, size: 6 }),
      move('always', 'cancel', { market: 1 }),
      move('always', 'sell', { who: 2, market: 1, size: 6 }),
    ],
    3,
  ),
  /** A position larger than its backstop may hold, and the other side leaves with the profit. */
  hoard: ring(
    [
      ...[0, 1, 2].map(() => move('always', 'pair-buy', { size: 99 })),
      move('losing', 'hand-over', { other: 2, patience: 99 }),
      move('hurt', 'withdraw', { who: 1 }),
      move('winning', 'withdraw', { who: 1 }),
    ],
    3,
  ),
  /** Quotes that stand only while a premium is sampled; strangers pay funding. */
  samples: ring(
    [
      move('always', 'sell', { market: 1, size: 60 }),
      ...[0, 1, 2].flatMap(() => [
        move('before-sample', 'squeeze-mark', { who: 1, market: 1, price: 62 }),
        move('after-sample', 'cancel', { who: 1, market: 1 }),
      ]),
    ],
    2,
  ),
  /** The backstop sells at a price that is known to be old. */
  bargain: ring(
    [
      move('flat', 'pair-buy', { size: 80 }),
      move('taken', 'wait'),
      move('news-up', 'bid', { who: 2, size: 80, price: 49, patience: 60 }),
      move('news-down', 'ask', { who: 2, size: 80, price: 51, patience: 60 }),
      move('after-tick', 'cancel', { who: 2 }),
      move('always', 'close', { who: 2 }),
    ],
    3,
  ),
  /** The smallest bids of one owner shield a position from its liquidation. */
  fence: ring(
    [
      move('always', 'transfer', { who: 0, other: 1, size: 20 }),
      move('flat', 'pair-buy', { who: 0, other: 3, size: 80 }),
      ...[0, 1, 2].map(() => move('always', 'wall', { who: 1, price: 49 })),
      move('losing', 'wall', { who: 2, price: 49 }),
      move('hurt', 'withdraw', { who: 3 }),
      move('always', 'cancel', { who: 1 }),
    ],
    4,
    2,
  ),
  /** Dust in front of every stop that tries again. */
  dust: ring(
    [
      move('always', 'bid', { who: 1, size: 20, price: 43 }),
      move('always', 'lead', { price: 40 }),
      move('always', 'nibble', { price: 90 }),
      move('after-tick', 'nibble', { price: 90 }),
      move('holding', 'close', { who: 1 }),
    ],
    2,
  ),
  /** A print far from the mark fires stops that watch the last trade. */
  print: ring(
    [
      move('always', 'bid', { who: 2, size: 30, price: 38 }),
      move('always', 'dust', { price: 40 }),
      move('after-tick', 'dust', { price: 60 }),
      move('holding', 'close', { who: 2 }),
      move('always', 'cancel', { who: 2 }),
    ],
    3,
  ),
  /** What is due and what is left undone around a start of the process. */
  failover: ring(
    [
      move('flat', 'pair-buy', { size: 50 }),
      move('restarted', 'pair-sell', { who: 2, other: 3 }),
      move('restarted', 'hand-over', { who: 0, other: 3 }),
      move('restarted', 'withdraw', { who: 1 }),
      move('later', 'withdraw', { who: 2, size: 0 }),
    ],
    4,
  ),
  /** Profit of one market carries the loss of another, hours later. */
  patient: ring(
    [
      move('flat', 'pair-buy', { market: 0, size: 40 }),
      move('later', 'pair-sell', { other: 2, market: 1, size: 40 }),
      move('later', 'pair-buy', { other: 2, market: 2, size: 70 }),
      move('news-down', 'hand-over', { other: 3, market: 2, patience: 60 }),
      move('later', 'withdraw', { who: 1, size: 60 }),
      move('later', 'withdraw', { who: 2, size: 60 }),
    ],
    4,
  ),
}
