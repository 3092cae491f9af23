// What happened, described once: each event and its fields in row order. The log stores a row of
// numbers per event; this table gives the typed object back (event-log.ts) and the types below.
// Past tense; an event can be neither refused nor undone. A row has at most 15 fields.

import { rejections } from '../commands/rejections.ts'

export const sides = ['bid', 'ask'] as const
export const tifs = ['GTC', 'IOC', 'FOK', 'ALO', 'TOB'] as const
export const modes = ['open', 'cancel_only', 'halted'] as const
export const triggerBys = ['mark', 'last', 'mid'] as const
export const feedHealths = ['live', 'stale', 'cancel_only'] as const
/** Why an order exists. */
export const origins = ['user', 'trigger', 'twap', 'liquidation', 'backstop'] as const
export const triggerKinds = ['stop', 'take_profit', 'stop_loss'] as const
/** Why lots changed hands. */
export const causes = [
  'normal',
  'market_liquidation',
  'backstop_liquidation',
  'deleverage',
  'settlement',
] as const
export const fillKinds = [
  'open_long',
  'open_short',
  'close_long',
  'close_short',
  'force_close_long',
  'force_close_short',
] as const
export const roles = ['maker', 'taker'] as const
/** Why an order ended unfilled; `refused` carries the rejection that ended it. */
export const cancelReasons = [
  'owner',
  'replaced',
  'expired',
  'post_only_rejected',
  'self_trade_prevented',
  'margin',
  'reduce_only',
  'open_interest',
  'liquidation',
  'market_closed',
  'scheduled',
  'parent_ended',
  'refused',
  'disconnected',
] as const
/** Why an agent's binding ended without its owner. */
export const unbindings = [
  'confirmed_elsewhere',
  'address_in_use',
  'crowded_out',
  'operator',
] as const
export const twapEnds = ['finished', 'owner', 'liquidation', 'market_closed'] as const
export const rejectionNames = Object.keys(rejections) as (keyof typeof rejections)[]

const kinds = {
  side: sides,
  tif: tifs,
  mode: modes,
  triggerBy: triggerBys,
  feedHealth: feedHealths,
  origin: origins,
  triggerKind: triggerKinds,
  cause: causes,
  fillKind: fillKinds,
  role: roles,
  cancelReason: cancelReasons,
  twapEnd: twapEnds,
  unbinding: unbindings,
  rejection: rejectionNames,
} as const

/** The lists behind the fields that hold a word: the row keeps its index. */
export const words: Readonly<Record<string, readonly string[]>> = kinds

type FieldTypes = { [W in keyof typeof kinds]: (typeof kinds)[W][number] } & {
  int: number
  flag: boolean
  text: string | null
}
export type FieldKind = keyof FieldTypes

export const eventFields = {
  // --- hot: orders, fills ---
  /** An order got its id. `waiting`: held at the speed bump. `parent`: what it came from, or 0. */
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
    clientOrderId: 'text',
  },
  /** It is in the book now, with this much left. */
  OrderRested: {
    order: 'int',
    account: 'int',
    market: 'int',
    side: 'side',
    price: 'int',
    remaining: 'int',
  },
  /** One match. `history` is the first history id of the taker's record. */
  Traded: {
    history: 'int',
    market: 'int',
    price: 'int',
    lots: 'int',
    side: 'side',
    makerOrder: 'int',
    takerOrder: 'int',
    maker: 'int',
    taker: 'int',
    makerRemaining: 'int',
    takerRemaining: 'int',
    cause: 'cause',
  },
  /** One side of a match or forced transfer, in one direction: a flip makes two of these.
   *  `entryCost` ÷ `entryLots`: after an opening part the position's, on a closing part the
   *  closed part's. `pnl` = realised − fee. `value` is exact money (a deleveraging has no whole
   *  tick: price 0). */
  Filled: {
    history: 'int',
    account: 'int',
    counterparty: 'int',
    order: 'int',
    market: 'int',
    kind: 'fillKind',
    role: 'role',
    cause: 'cause',
    lots: 'int',
    price: 'int',
    value: 'int',
    fee: 'int',
    pnl: 'int',
    entryCost: 'int',
    entryLots: 'int',
  },
  /** A resting, waiting or arriving reduce-only order was cut to the position. */
  OrderReduced: { order: 'int', account: 'int', market: 'int', cancelled: 'int', remaining: 'int' },
  /** An order, waiting order, stop or level ended with `remaining` lots unfilled (stops: their
   *  size). `rejection` only says something when the reason is `refused`. */
  OrderCancelled: {
    order: 'int',
    account: 'int',
    market: 'int',
    remaining: 'int',
    reason: 'cancelReason',
    rejection: 'int',
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
  /** `cancels` false: whoever armed it may not act any more, and nothing is cancelled. */
  ConnectionEnded: { account: 'int', connection: 'text', cancels: 'flag' },
  CancelScheduled: { account: 'int', time: 'int', keepProtective: 'flag' },
  // --- triggers and TWAPs ---
  /** `limitPrice` 0: market. `size` 0: the whole position. `armed` false: its parent has not
   *  filled. */
  StopPlaced: {
    order: 'int',
    account: 'int',
    market: 'int',
    side: 'side',
    kind: 'triggerKind',
    stopPrice: 'int',
    limitPrice: 'int',
    size: 'int',
    triggerBy: 'triggerBy',
    reduceOnly: 'flag',
    parent: 'int',
    armed: 'flag',
    clientOrderId: 'text',
  },
  /** A level attached to an order became the position's level, for this size (0: all). */
  StopArmed: { order: 'int', account: 'int', market: 'int', size: 'int' },
  StopReduced: { order: 'int', account: 'int', market: 'int', size: 'int' },
  StopTriggered: { order: 'int', account: 'int', market: 'int', price: 'int' },
  TwapPlaced: {
    order: 'int',
    account: 'int',
    market: 'int',
    side: 'side',
    size: 'int',
    slices: 'int',
    reduceOnly: 'flag',
    slippagePpm: 'int',
    clientOrderId: 'text',
  },
  /** Slice number `slice` (from 1) was asked for `lots`; `rejection` as in OrderCancelled, 0 if
   *  it ran. */
  TwapSliced: {
    twap: 'int',
    account: 'int',
    market: 'int',
    slice: 'int',
    lots: 'int',
    rejection: 'int',
  },
  TwapEnded: { twap: 'int', account: 'int', market: 'int', filled: 'int', reason: 'twapEnd' },
  // --- accounts ---
  AccountOpened: { account: 'int', main: 'int', address: 'text' },
  /** `balance` and `pending`, here and below: what the account has after it, and what of its money
   *  waits to leave. */
  Deposited: { account: 'int', amount: 'int', balance: 'int', pending: 'int', reference: 'text' },
  WithdrawalRequested: {
    withdrawal: 'int',
    account: 'int',
    amount: 'int',
    balance: 'int',
    pending: 'int',
  },
  WithdrawalCompleted: {
    withdrawal: 'int',
    account: 'int',
    amount: 'int',
    balance: 'int',
    pending: 'int',
  },
  WithdrawalFailed: {
    withdrawal: 'int',
    account: 'int',
    amount: 'int',
    balance: 'int',
    pending: 'int',
  },
  Transferred: {
    from: 'int',
    to: 'int',
    amount: 'int',
    fromBalance: 'int',
    fromPending: 'int',
    toBalance: 'int',
    toPending: 'int',
  },
  LeverageSet: { account: 'int', market: 'int', leverage: 'int' },
  MarginModeSet: { account: 'int', market: 'int', isolated: 'flag' },
  /** From the balance to the wallet of the position: asked for, or right after an isolated opening
   *  part. */
  IsolatedMarginMoved: {
    account: 'int',
    market: 'int',
    amount: 'int',
    wallet: 'int',
    balance: 'int',
  },
  AgentBound: { account: 'int', agent: 'text' },
  /** Its own key has signed for this account. */
  AgentConfirmed: { account: 'int', agent: 'text' },
  AgentUnbound: { account: 'int', agent: 'text', reason: 'unbinding' },
  AgentRevoked: { account: 'int', agent: 'text' },
  AgentIpAllowed: { account: 'int', agent: 'text', ip: 'text' },
  AgentIpDisallowed: { account: 'int', agent: 'text', ip: 'text' },
  AgentIpFilterSet: { account: 'int', agent: 'text', enabled: 'flag' },
  ApiKeyCreated: { account: 'int', prefix: 'text', bucket: 'int' },
  ApiKeyRevoked: { account: 'int', prefix: 'text' },
  ApiKeyCreditsSet: { account: 'int', prefix: 'text', credits: 'int' },
  AccountFrozen: { account: 'int', frozen: 'flag' },
  // --- markets and prices ---
  MarketListed: { market: 'int', backstop: 'int', symbol: 'text' },
  /** `effectiveAt` is later than now when the change raises a requirement. */
  MarketChanged: { market: 'int', effectiveAt: 'int' },
  MarketModeSet: { market: 'int', mode: 'mode' },
  MarketSettled: { market: 'int', price: 'int' },
  ExchangeModeSet: { mode: 'mode' },
  FeeTiersSet: { count: 'int' },
  ReserveMoved: { market: 'int', amount: 'int', insurance: 'int', backstop: 'int' },
  BreachReported: { market: 'int', invariant: 'int' },
  RulesVersionSet: { version: 'int' },
  ClockFrozenSet: { frozen: 'flag' },
  EngineStarted: { markets: 'int' },
  NoteKept: { name: 'text' },
  PastTold: { market: 'int', bars: 'text' },
  FeedHealthChanged: { market: 'int', health: 'feedHealth' },
  /** `oracle` and `basis` in millionths of a tick. */
  MarkUpdated: { market: 'int', oracle: 'int', mark: 'int', basis: 'int', catchingUp: 'flag' },
  // --- funding ---
  /** Impact prices in millionths of a tick, 0 where the side lacks the depth. */
  PremiumSampled: { market: 'int', premium: 'int', impactBid: 'int', impactAsk: 'int' },
  FundingFixed: { market: 'int', epoch: 'int', rate: 'int', oracle: 'int', samples: 'int' },
  /** `payment` is what the account got (negative: paid). */
  FundingPaid: { account: 'int', market: 'int', epoch: 'int', lots: 'int', payment: 'int' },
  FundingClosed: { market: 'int', epoch: 'int', remainder: 'int' },
  // --- liquidation ---
  /** `scope` 0: the cross account; else the market of the isolated position. */
  LiquidationStarted: { account: 'int', scope: 'int', equity: 'int', maintenance: 'int' },
  LiquidationStepped: { account: 'int', market: 'int', order: 'int', lots: 'int', limit: 'int' },
  BackstopTookOver: {
    account: 'int',
    market: 'int',
    backstop: 'int',
    lots: 'int',
    value: 'int',
    margin: 'int',
  },
  InsurancePaid: { account: 'int', scope: 'int', amount: 'int', fund: 'int' },
  Deleveraged: { account: 'int', counterparty: 'int', market: 'int', lots: 'int', value: 'int' },
  DeficitBooked: { account: 'int', amount: 'int', deficit: 'int' },
} as const satisfies Record<string, Readonly<Record<string, FieldKind>>>

export type EventType = keyof typeof eventFields
type Fields<T extends EventType> = (typeof eventFields)[T]
export type EventOf<T extends EventType> = Readonly<
  { type: T } & {
    [F in keyof Fields<T>]: Fields<T>[F] extends FieldKind ? FieldTypes[Fields<T>[F]] : never
  }
>
export type Event = { [T in EventType]: EventOf<T> }[EventType]

export const eventTypes = Object.keys(eventFields) as EventType[]
