// Events of orders, stops and algos (event-fields.ts).

import type { FieldKind } from './event-words.ts'

export const orderEventFields = {
  // --- hot: orders, fills ---
  /** The order or stop of the next event expires at this time (ORDER-14). */
  ExpirySet: { order: 'int', account: 'int', market: 'int', time: 'int' },
  /** The order of the next event has market maker protection (ORDER-18). */
  OrderProtected: { order: 'int', account: 'int', market: 'int' },
  /** An order got its id. `waiting`: held at the speed bump. `parent`: the order, stop or algo that
   *  it came from, or 0. `orderType`: limit or market, also for orders of a trigger, an algo or a
   *  liquidation. */
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
  /** The order is now in the book with this remainder. `levelLots`, here and below: total lots at
   *  its price level afterwards; −1 if the order did not rest. */
  OrderRested: {
    order: 'int',
    account: 'int',
    market: 'int',
    side: 'side',
    price: 'int',
    remaining: 'int',
    levelLots: 'int',
  },
  /** One match. `side` is the taker's. `fees` is the balance of the fee account afterwards. Each
   *  side has the lots it closed, their cost, what they brought after their fee, its total fee, and
   *  lots, cost, balance and wallet afterwards. Margin for an isolated position that was opened is
   *  moved in a separate event. `history`: the first id of its fills (fills-of.ts). */
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
  /** One side of a forced transfer or settlement, in one direction: a flip produces two events.
   *  `entryCost` ÷ `entryLots` is the entry price: of the position after an opening part, or of the
   *  closed lots for a closing part. `pnl` is the realised profit, without a fee. `value` is exact
   *  money (a deleveraging has no whole tick: price 0). */
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
  /** A resting, waiting or incoming reduce-only order was cut to the position. */
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
  /** An order, waiting order, stop or level ended with `remaining` lots unfilled (for stops: their
   *  size). `rejection` is only set if the reason is `refused`. */
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
  /** The events up to the next BatchActionStarted belong to this action of the batch. */
  BatchActionStarted: { index: 'int' },
  /** An action of a delayed batch that is not an order is deferred under this id. */
  ActionDeferred: { action: 'int', account: 'int' },
  AllOrdersCancelled: { account: 'int', count: 'int' },
  /** The account's orders will be cancelled when this connection ends. */
  ConnectionArmed: { account: 'int', connection: 'text', keepProtective: 'flag' },
  ConnectionDisarmed: { account: 'int', connection: 'text' },
  /** `cancels` is false if the signer may not act any more; nothing is cancelled then. */
  ConnectionEnded: { account: 'int', connection: 'text', cancels: 'flag' },
  CancelScheduled: { account: 'int', time: 'int', keepProtective: 'flag' },
  // --- triggers and algos ---
  /** The stop of the next event follows the mark (TRIG-11): at `distance` ticks behind it, or at
   *  the share `ppm` if `distance` is 0. `activation` 0: immediately. */
  TrailSet: {
    order: 'int',
    account: 'int',
    market: 'int',
    distance: 'int',
    ppm: 'int',
    activation: 'int',
  },
  /** `limitPrice` 0: market order. `size` 0: the whole position. `armed` false: its parent has not
   *  been filled. `stopPrice` 0: it trails. `up`: it fires at or above its stop price. `extreme`,
   *  here and below: the best mark that a trailing stop has seen; 0 if it is not active or does not
   *  trail. */
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
  /** The two orders or stops of the preceding events are linked: when one executes, the other is
   *  cancelled (TRIG-14). */
  OcoLinked: { account: 'int', market: 'int', first: 'int', second: 'int' },
  /** A level attached to an order became a level of the position, for this size (0: all). */
  StopArmed: { order: 'int', account: 'int', market: 'int', size: 'int', extreme: 'int' },
  StopReduced: { order: 'int', account: 'int', market: 'int', size: 'int' },
  StopTriggered: { order: 'int', account: 'int', market: 'int', price: 'int', extreme: 'int' },
  /** `slices` and `slippagePpm` belong to a TWAP, `price` to an algo with resting orders, `display`
   *  to an iceberg; otherwise 0. `expireTime` 0: none. */
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
  /** Step number `step` (from 1) placed an order of `lots` at `price` (0: a market order).
   *  `rejection` is as in OrderCancelled, 0 if the order was accepted. */
  AlgoStepped: {
    algo: 'int',
    account: 'int',
    market: 'int',
    step: 'int',
    lots: 'int',
    price: 'int',
    rejection: 'int',
  },
  /** An order of the algo traded `lots` for `value`. The totals cover all of its orders. */
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
  /** Too many lots were filled: protected orders are cancelled, and new ones are rejected before
   *  `until` (0: until a reset). */
  MmpTripped: { account: 'int', market: 'int', until: 'int' },
} as const satisfies Record<string, Readonly<Record<string, FieldKind>>>
