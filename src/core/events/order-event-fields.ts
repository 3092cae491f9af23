// What happens to orders, stops and algos (event-fields.ts).

import type { FieldKind } from './event-words.ts'

export const orderEventFields = {
  // --- hot: orders, fills ---
  /** The order or stop of the next event expires at this time (ORDER-14). */
  ExpirySet: { order: 'int', account: 'int', market: 'int', time: 'int' },
  /** The order of the next event is cancelled when its account is filled too fast (ORDER-18). */
  OrderProtected: { order: 'int', account: 'int', market: 'int' },
  /** An order got its id. `waiting`: held at the speed bump. `parent`: what it came from, or 0.
   *  `orderType`: limit or market, also of what a trigger, an algo or a liquidation makes. */
  OrderPlaced: {
    order: 'int',
    account: 'int',
    market: 'int',
    side: 'side',
    price: 'int',
    size: 'int',
    tif: 'tif',
    reduceOnly: 'flag',
    origin: 'origin',
    parent: 'int',
    waiting: 'flag',
    orderType: 'orderType',
    clientOrderId: 'text',
  },
  /** It is in the book now, with this much left. `levelLots`, here and below: what rests at its
   *  price after it; −1 for what did not rest. */
  OrderRested: {
    order: 'int',
    account: 'int',
    market: 'int',
    side: 'side',
    price: 'int',
    remaining: 'int',
    levelLots: 'int',
  },
  /** One match. `side` is the taker's, `fees` what the fee account has after it. Of each side: the
   *  lots it closed, what those had cost and what they brought (their fee paid), its fee in all,
   *  and lots, cost, balance and wallet after it. Margin for an isolated position that was opened
   *  is moved in an event of its own. `history`: the first id of its fills (fills-of.ts). */
  Traded: {
    history: 'int',
    market: 'int',
    price: 'int',
    lots: 'int',
    value: 'int',
    side: 'side',
    cause: 'cause',
    makerOrder: 'int',
    takerOrder: 'int',
    maker: 'int',
    taker: 'int',
    makerRemaining: 'int',
    takerRemaining: 'int',
    levelLots: 'int',
    openInterest: 'int',
    fees: 'int',
    takerClosed: 'int',
    takerClosedCost: 'int',
    takerGained: 'int',
    takerFee: 'int',
    takerLots: 'int',
    takerCost: 'int',
    takerBalance: 'int',
    takerWallet: 'int',
    makerClosed: 'int',
    makerClosedCost: 'int',
    makerGained: 'int',
    makerFee: 'int',
    makerLots: 'int',
    makerCost: 'int',
    makerBalance: 'int',
    makerWallet: 'int',
  },
  /** One side of a forced transfer or settlement, in one direction: a flip makes two of these.
   *  `entryCost` ÷ `entryLots`: after an opening part the position's, on a closing part the  closed
   *  part's. `pnl` is what it realised, without a fee. `value` is exact money (a deleveraging  has
   *  no whole tick: price 0). */
  Filled: {
    history: 'int',
    account: 'int',
    counterparty: 'int',
    market: 'int',
    kind: 'fillKind',
    role: 'role',
    cause: 'cause',
    lots: 'int',
    price: 'int',
    value: 'int',
    pnl: 'int',
    entryCost: 'int',
    entryLots: 'int',
    positionLots: 'int',
    positionCost: 'int',
    balance: 'int',
    wallet: 'int',
    openInterest: 'int',
  },
  /** A resting, waiting or arriving reduce-only order was cut to the position. */
  OrderReduced: {
    order: 'int',
    account: 'int',
    market: 'int',
    side: 'side',
    price: 'int',
    cancelled: 'int',
    remaining: 'int',
    levelLots: 'int',
  },
  /** An order, waiting order, stop or level ended with `remaining` lots unfilled (stops: their
   *  size). `rejection` only says something when the reason is `refused`. */
  OrderCancelled: {
    order: 'int',
    account: 'int',
    market: 'int',
    side: 'side',
    price: 'int',
    remaining: 'int',
    reason: 'cancelReason',
    rejection: 'int',
    levelLots: 'int',
  },
  CommandRejected: {
    rejection: 'rejection',
    first: 'int',
    second: 'int',
    third: 'int',
  },
  /** What follows, up to the next of these, is the outcome of this action of the batch. */
  BatchActionStarted: { index: 'int' },
  /** An action of a delayed batch that is not an order waits under this id. */
  ActionDeferred: { action: 'int', account: 'int' },
  AllOrdersCancelled: { account: 'int', count: 'int' },
  /** The account's orders are to go when this connection ends. */
  ConnectionArmed: { account: 'int', connection: 'text', keepProtective: 'flag' },
  ConnectionDisarmed: { account: 'int', connection: 'text' },
  /** `cancels` false: its signer may not act any more, so nothing is cancelled. */
  ConnectionEnded: { account: 'int', connection: 'text', cancels: 'flag' },
  CancelScheduled: { account: 'int', time: 'int', keepProtective: 'flag' },
  // --- triggers and algos ---
  /** The stop of the next event follows the mark (TRIG-11): `distance` ticks behind, or 0 and a
   *  share of it. `activation` 0: immediately. */
  TrailSet: {
    order: 'int',
    account: 'int',
    market: 'int',
    distance: 'int',
    ppm: 'int',
    activation: 'int',
  },
  /** `limitPrice` 0: market. `size` 0: the whole position. `armed` false: its parent has not
   *  filled. `stopPrice` 0: it trails. `up`: it fires at or above its price. `extreme`, here and
   *  below: the best mark that a trailing one has seen; 0: it is not active, or does not trail. */
  StopPlaced: {
    order: 'int',
    account: 'int',
    market: 'int',
    side: 'side',
    orderType: 'orderType',
    stopPrice: 'int',
    up: 'flag',
    extreme: 'int',
    limitPrice: 'int',
    size: 'int',
    triggerBy: 'triggerBy',
    reduceOnly: 'flag',
    parent: 'int',
    armed: 'flag',
    clientOrderId: 'text',
  },
  /** One or the other (TRIG-14): the two orders or stops of the events before. */
  OcoLinked: { account: 'int', market: 'int', first: 'int', second: 'int' },
  /** A level attached to an order became the position's level, for this size (0: all). */
  StopArmed: { order: 'int', account: 'int', market: 'int', size: 'int', extreme: 'int' },
  StopReduced: { order: 'int', account: 'int', market: 'int', size: 'int' },
  StopTriggered: { order: 'int', account: 'int', market: 'int', price: 'int', extreme: 'int' },
  /** `slices` and `slippagePpm` are those of a TWAP, `price` is of what rests, `display` of an
   *  iceberg; else 0. `expireTime` 0: none. */
  AlgoPlaced: {
    order: 'int',
    account: 'int',
    market: 'int',
    kind: 'algoKind',
    side: 'side',
    size: 'int',
    slices: 'int',
    reduceOnly: 'flag',
    slippagePpm: 'int',
    price: 'int',
    display: 'int',
    expireTime: 'int',
    clientOrderId: 'text',
  },
  /** Step number `step` (from 1) placed an order of `lots` at `price` (0: a market order);
   *  `rejection` as in OrderCancelled, 0 if it was accepted. */
  AlgoStepped: {
    algo: 'int',
    account: 'int',
    market: 'int',
    step: 'int',
    lots: 'int',
    price: 'int',
    rejection: 'int',
  },
  /** An order of it traded: `lots` for `value`, and all of its orders together. */
  AlgoFilled: {
    algo: 'int',
    account: 'int',
    market: 'int',
    lots: 'int',
    value: 'int',
    filled: 'int',
    filledValue: 'int',
  },
  AlgoEnded: {
    algo: 'int',
    account: 'int',
    market: 'int',
    filled: 'int',
    filledValue: 'int',
    reason: 'algoEnd',
  },
  // --- maker protection (ORDER-18); lots 0: no such limit ---
  MmpSet: {
    account: 'int',
    market: 'int',
    windowMs: 'int',
    frozenMs: 'int',
    maxLots: 'int',
    maxNet: 'int',
  },
  MmpRemoved: { account: 'int', market: 'int' },
  MmpReset: { account: 'int', market: 'int' },
  /** Too much was filled: protected orders go, and none is taken before `until` (0: a reset). */
  MmpTripped: { account: 'int', market: 'int', until: 'int' },
} as const satisfies Record<string, Readonly<Record<string, FieldKind>>>
