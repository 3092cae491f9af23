// Attacks written by hand, as scripts to begin with: each is worth money under rules
// that let it be. The search changes and mixes them.

import type { Script } from '../script.ts'
import { knownLate } from './late.ts'
import { move, ring } from './moves.ts'

export const known: Readonly<Record<string, Script>> = {
  ...knownLate,
  /** Two trade at the old mark while the oracle lags; one goes bankrupt. */
  lag: ring(
    [
      move('lag-down', 'pair-sell'),
      move('lag-down', 'pair-sell', { who: 2, other: 3 }),
      move('after-tick', 'withdraw'),
      move('lag-up', 'pair-buy', { who: 2, other: 3 }),
      move('after-tick', 'withdraw', { who: 2 }),
    ],
    4,
  ),
  /** The same with a feed that says nothing, at the price that is known outside. */
  silence: ring(
    [
      move('stale', 'pair-buy'),
      move('stale', 'pair-sell', { who: 2, other: 3 }),
      move('holding', 'withdraw', { who: 0 }),
    ],
    4,
  ),
  /** An old long that is bankrupt at the outside price is closed at half the mark to a friend. */
  rescue: ring([
    move('flat', 'buy', { who: 0, size: 60 }),
    move('lag-down', 'hand-over', { who: 0, other: 1, price: 0 }),
    move('holding', 'close', { who: 1 }),
    move('always', 'withdraw', { who: 1 }),
  ]),
  /** A few dollars in a market that sleeps shield the rest. */
  shelter: ring([
    move('always', 'pair-buy', { market: 2, size: 0 }),
    move('stale', 'wait', { market: 2 }),
    move('always', 'pair-buy', { market: 0 }),
    move('hurt', 'withdraw', { who: 1 }),
    move('losing', 'withdraw', { who: 1 }),
  ]),
  /** More at full leverage than the tiers carry, and the other side withdrawn. */
  whale: ring([
    move('always', 'pair-buy', { size: 99 }),
    move('after-tick', 'close', { who: 1 }),
    move('after-tick', 'withdraw', { who: 1 }),
  ]),
  /** Quotes around a tick that cannot be hit move the mark. */
  flash: ring(
    [
      move('always', 'pair-buy', { market: 1 }),
      move('before-tick', 'squeeze-mark', { who: 2, market: 1, price: 70 }),
      move('after-tick', 'cancel', { who: 2, market: 1 }),
      move('before-tick', 'squeeze-mark', { who: 2, market: 1, price: 80 }),
      move('after-tick', 'withdraw', { who: 0 }),
      move('after-tick', 'cancel', { who: 2, market: 1 }),
    ],
    3,
  ),
  /** Funding steered by quotes, paid by a crowd on one side. */
  farm: ring([
    move('before-hour', 'squeeze-mark', { who: 1, price: 70 }),
    move('before-hour', 'sell', { who: 0 }),
    move('after-hour', 'close', { who: 0 }),
    move('after-hour', 'cancel', { who: 1 }),
  ]),
  /** A crowd of stops keeps liquidation waiting. */
  storm: ring(
    [
      move('always', 'pair-buy'),
      move('always', 'stops', { who: 2 }),
      move('always', 'stops', { who: 1 }),
      move('lag-down', 'pair-buy'),
      move('hurt', 'withdraw', { who: 1 }),
    ],
    3,
  ),
  /** Depth that is shown and cannot be hit. */
  shown: ring([
    move('always', 'bid', { price: 48 }),
    move('always', 'pair-buy', { size: 40 }),
    move('holding', 'hand-over', { price: 30 }),
    move('always', 'cancel'),
  ]),
  /** Bankruptcy by a trade with a friend far from the mark. */
  gift: ring([
    move('flat', 'pair-buy', { price: 62 }),
    move('holding', 'hand-over', { price: 36 }),
    move('always', 'withdraw', { who: 1 }),
  ]),
  /** Isolated margin, leverage and modes switched around open orders. */
  switch: ring([
    move('flat', 'mode', { size: 99 }),
    move('always', 'leverage', { size: 99 }),
    move('always', 'pair-buy', { size: 50 }),
    move('after-tick', 'margin', { size: 10 }),
    move('lag-down', 'margin', { size: 90 }),
    move('hurt', 'withdraw', { who: 1 }),
  ]),
  /** Profit goes to the main account, the loss stays in the subaccount. */
  shuffle: ring(
    [
      move('always', 'transfer', { who: 0, other: 2, size: 30 }),
      move('always', 'pair-buy', { who: 2, other: 3 }),
      move('after-tick', 'transfer', { who: 2, other: 0 }),
      move('lag-down', 'pair-buy', { who: 2, other: 3 }),
      move('hurt', 'withdraw', { who: 3 }),
      move('losing', 'transfer', { who: 2, other: 1 }),
    ],
    4,
    2,
  ),
  /** The side that loses withdraws what is left. */
  leave: ring([
    move('always', 'pair-buy', { size: 30 }),
    move('losing', 'withdraw', { patience: 40 }),
    move('losing', 'withdraw', { who: 1, patience: 40 }),
  ]),
  /** Leverage and margin mode are switched under orders that rest. */
  underfoot: ring(
    [
      move('always', 'leverage', { size: 99 }),
      move('always', 'bid', { price: 44 }),
      move('always', 'leverage', { size: 4 }),
      move('flat', 'mode', { size: 99 }),
      move('always', 'pair-sell', { who: 2, other: 1, price: 46 }),
      move('lag-down', 'leverage', { size: 99 }),
      move('lag-down', 'margin', { size: 90 }),
      move('hurt', 'withdraw', { who: 1 }),
      move('hurt', 'withdraw', { who: 2 }),
      move('always', 'cancel'),
    ],
    3,
  ),
  /** The operator restricts a market; who knows the price acts, and the other side leaves. */
  halt: ring(
    [
      move('always', 'pair-buy', { size: 90 }),
      move('restricted', 'withdraw', { who: 1 }),
      move('restricted', 'pair-buy-outside', { who: 2, other: 3 }),
      move('restricted', 'hand-over', { price: 30 }),
      move('restricted', 'bid', { who: 1, price: 30 }),
      move('hurt', 'withdraw', { who: 1 }),
    ],
    4,
  ),
  /** As much as the tiers of today carry, just before those of tomorrow. */
  notice: ring([
    move('changing', 'leverage', { size: 99 }),
    move('changing', 'pair-buy'),
    move('changing', 'withdraw', { who: 1 }),
    move('after-tick', 'hand-over', { price: 38 }),
    move('losing', 'withdraw', { who: 1 }),
  ]),
  /** A flash of quotes in one command, and a position that is opened, protected and closed in
   *  another. */
  batched: ring(
    [
      move('always', 'pair-buy', { market: 1 }),
      move('before-tick', 'batch-quote', { who: 2, market: 1, price: 72, size: 50 }),
      move('after-tick', 'batch-quote', { who: 2, market: 1, price: 40, size: 50 }),
      move('after-tick', 'batch-turn', { who: 1, market: 1 }),
      move('lag-down', 'batch-edit', { who: 0, market: 1 }),
      move('hurt', 'withdraw', { who: 1 }),
    ],
    3,
  ),
  /** One tick was a lie: who knows it trades at what it made of the mark. */
  lied: ring(
    [
      move('news-up', 'pair-buy', { size: 90 }),
      move('news-up', 'buy', { who: 2, size: 60 }),
      move('news-down', 'pair-sell', { who: 2, other: 3, size: 90 }),
      move('news-down', 'hand-over', { price: 60 }),
      move('after-tick', 'close', { who: 2 }),
      move('hurt', 'withdraw', { who: 1 }),
      move('losing', 'withdraw', { who: 3 }),
    ],
    4,
  ),
  /** Bids far below wait for whatever liquidation sells. */
  snipe: ring([
    move('before-tick', 'bid', { price: 35 }),
    move('before-tick', 'bid', { price: 25, who: 1 }),
    move('holding', 'close'),
    move('after-tick', 'cancel'),
  ]),
  /** Loss handed to the backstop at a mark that was pushed. */
  hand: ring(
    [
      move('always', 'pair-buy', { market: 1, size: 95 }),
      move('hurt', 'squeeze-mark', { who: 2, market: 1, price: 64 }),
      move('hurt', 'withdraw', { who: 1 }),
      move('after-tick', 'cancel', { who: 2, market: 1 }),
    ],
    3,
  ),
  /** Profit at a mark that was pushed in a market without makers carries more of the same. */
  pump: ring(
    [
      move('always', 'pair-buy', { market: 1, size: 40 }),
      move('always', 'squeeze-mark', { who: 3, market: 1, price: 72 }),
      move('winning', 'pair-buy', { other: 2, market: 1 }),
      move('always', 'cancel', { who: 3, market: 1 }),
      move('losing', 'withdraw', { who: 2 }),
    ],
    4,
  ),
  /** The same while the price is stale: one side knows it. */
  asleep: ring(
    [
      move('stale', 'pair-sell-outside', { size: 60 }),
      move('stale', 'pair-buy', { who: 2, other: 3 }),
      move('after-tick', 'close'),
      move('after-tick', 'withdraw'),
    ],
    4,
  ),
  /** An isolated position is kept alive a tick at a time, as long as it may still win. */
  drip: ring([
    move('flat', 'mode', { size: 99 }),
    move('flat', 'pair-buy', { size: 50 }),
    move('lag-down', 'margin', { size: 3 }),
    move('after-tick', 'deposit', { size: 1 }),
    move('hurt', 'withdraw', { who: 1 }),
  ]),
}
