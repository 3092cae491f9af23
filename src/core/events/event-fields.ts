// Every event and its fields, in order. The log stores numbers (event-columns.ts has their places).
// This table defines the typed object (event-log.ts) and the types below. Names are in the past
// tense: an event can be neither rejected nor undone.
//
// An event has the change and the result: balance, pending and wallet of an account, lots and cost
// of its position, the remainder of an order, the lots at its price level. Publishers copy these
// values; they neither compute them nor read the current state. Events about settings
// (MarketChanged, FeeTiersSet) only say that something changed.

import type { FieldKind, FieldTypes } from './event-words.ts'
import { orderEventFields } from './order-event-fields.ts'

export { type FieldKind, rejectionNames, words } from './event-words.ts'

/** Money moved from one account to another, with the balances of both afterwards. */
const movedBetween = {
  from: 'int',
  to: 'int',
  amount: 'int',
  fromBalance: 'int',
  fromPending: 'int',
  toBalance: 'int',
  toPending: 'int',
} as const

export const eventFields = {
  ...orderEventFields,
  // --- accounts ---
  AccountOpened: { account: 'int', main: 'int', address: 'text' },
  /** `balance` and `pending`, here and below: the account's balance and its pending withdrawals
   *  afterwards. `deficit`, here and below: the balance of the deficit account afterwards, 0 or
   *  negative; a deposit to the insurance fund reduces the deficit first. */
  Deposited: {
    account: 'int',
    amount: 'int',
    balance: 'int',
    pending: 'int',
    deficit: 'int',
    reference: 'text',
  },
  /** A credit by hand is held for a second operator (ACCT-10). `source`: 0 for money from outside,
   *  otherwise the reserve account it comes from. `withdrawal`: the withdrawal that the credit
   *  would fail, or 0. Only a deposit has a reference. */
  CreditHeld: {
    credit: 'int',
    source: 'int',
    withdrawal: 'int',
    amount: 'int',
    address: 'text',
    reference: 'text',
    operator: 'text',
  },
  /** The effect of the credit follows: a deposit, a move of a reserve, or the end of a
   *  withdrawal. */
  CreditApproved: { credit: 'int', approver: 'text' },
  CreditDropped: { credit: 'int' },
  /** `needed`: approvals required before it may be paid. `held`: held by the withdrawal brake
   *  (ACCT-11). */
  WithdrawalRequested: {
    withdrawal: 'int',
    account: 'int',
    amount: 'int',
    needed: 'int',
    held: 'flag',
    balance: 'int',
    pending: 'int',
  },
  /** One approval. The withdrawal may be paid when `approvals` equals `needed`. */
  WithdrawalApproved: {
    withdrawal: 'int',
    account: 'int',
    amount: 'int',
    approvals: 'int',
    needed: 'int',
    approver: 'text',
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
  Transferred: movedBetween,
  LeverageSet: { account: 'int', market: 'int', leverage: 'int' },
  MarginModeSet: { account: 'int', market: 'int', isolated: 'flag' },
  /** Margin moved from the balance to the wallet of the position (negative: back), on request or
   *  because an isolated position was opened. */
  IsolatedMarginMoved: {
    account: 'int',
    market: 'int',
    amount: 'int',
    wallet: 'int',
    balance: 'int',
    lots: 'int',
    cost: 'int',
  },
  AgentBound: { account: 'int', agent: 'text' },
  /** The agent's key has signed for this account. */
  AgentConfirmed: { account: 'int', agent: 'text' },
  AgentUnbound: { account: 'int', agent: 'text', reason: 'unbinding' },
  AgentRevoked: { account: 'int', agent: 'text' },
  AgentIpAllowed: { account: 'int', agent: 'text', ip: 'text' },
  AgentIpDisallowed: { account: 'int', agent: 'text', ip: 'text' },
  AgentIpFilterSet: { account: 'int', agent: 'text', enabled: 'flag' },
  /** −1: no limit. `markets`: comma-separated ids; null: all markets. */
  AgentPolicySet: {
    account: 'int',
    agent: 'text',
    removed: 'flag',
    postOnly: 'flag',
    reduceOnly: 'flag',
    margin: 'flag',
    apiKeys: 'flag',
    maxSlippagePpm: 'int',
    maxOrderValue: 'int',
    maxPositionValue: 'int',
    maxDailyLoss: 'int',
    expiresAt: 'int',
    markets: 'text',
  },
  ApiKeyCreated: { account: 'int', prefix: 'text', bucket: 'int' },
  ApiKeyRevoked: { account: 'int', prefix: 'text' },
  ApiKeyCreditsSet: { account: 'int', prefix: 'text', credits: 'int' },
  AccountFrozen: { account: 'int', frozen: 'flag' },
  // --- markets and prices ---
  /** `unitValue`: what one lot is worth at one tick, in micro-dollars. */
  MarketListed: { market: 'int', backstop: 'int', unitValue: 'int', symbol: 'text' },
  /** `effectiveAt` is later than now if the change raises a requirement. `maintenanceAt` is later
   *  than `effectiveAt` if the change is immediate. `change` is the number of an announced change,
   *  otherwise 0. */
  MarketChanged: { market: 'int', change: 'int', effectiveAt: 'int', maintenanceAt: 'int' },
  MarketChangeCancelled: { market: 'int', change: 'int', effectiveAt: 'int' },
  MarketModeSet: { market: 'int', mode: 'mode' },
  MarketSettled: { market: 'int', price: 'int' },
  ExchangeModeSet: { mode: 'mode' },
  FeeTiersSet: { count: 'int' },
  ReserveMoved: movedBetween,
  /** `lots` −1: the market's ownerInterestMax applies again. */
  OwnerLimitSet: { owner: 'int', market: 'int', lots: 'int' },
  InsuranceShareSet: { sharePpm: 'int' },
  FundDailyMaxSet: { dailyMax: 'int' },
  /** −1: no limit. */
  WithdrawalLimitsSet: { approvalAbove: 'int', dailyMax: 'int', creditApprovalAbove: 'int' },
  /** `fundPpm` −1: off. */
  WithdrawalBrakeSet: { fundPpm: 'int', profitAbove: 'int', holdMs: 'int' },
  /** The fund lost `lost` of `start` within a minute. `owners`: number of owners whose withdrawals
   *  are held now. `until`: when the last hold ends (ACCT-11). */
  WithdrawalBrakePulled: { lost: 'int', start: 'int', until: 'int', owners: 'int' },
  /** A share of an hour's fees went to the insurance fund. `fees`, `fund` and `deficit` are the
   *  balances afterwards. */
  FeesShared: { amount: 'int', fees: 'int', fund: 'int', deficit: 'int' },
  BreachReported: { market: 'int', invariant: 'int' },
  RulesVersionSet: { version: 'int' },
  ClockFrozenSet: { frozen: 'flag' },
  EngineStarted: { markets: 'int' },
  NoteKept: { name: 'text' },
  PastTold: { market: 'int', bars: 'text' },
  FeedHealthChanged: { market: 'int', health: 'feedHealth' },
  /** `oracle` is in millionths of a tick. */
  MarkUpdated: { market: 'int', oracle: 'int', mark: 'int', catchingUp: 'flag' },
  // --- funding ---
  /** Impact prices in millionths of a tick, 0 where the side lacks the depth. */
  PremiumSampled: { market: 'int', premium: 'int', impactBid: 'int', impactAsk: 'int' },
  FundingFixed: { market: 'int', epoch: 'int', rate: 'int', oracle: 'int', samples: 'int' },
  /** `payment`: the amount that the account received, negative if it paid. `fundingPaid`: the total
   *  that the position has paid, so with the opposite sign. */
  FundingPaid: {
    account: 'int',
    market: 'int',
    epoch: 'int',
    lots: 'int',
    payment: 'int',
    cost: 'int',
    balance: 'int',
    wallet: 'int',
    fundingPaid: 'int',
  },
  /** The insurance fund received the rounding remainder. */
  FundingClosed: { market: 'int', epoch: 'int', remainder: 'int', fund: 'int', deficit: 'int' },
  // --- liquidation ---
  /** `scope` 0: the cross account; else the market of the isolated position. */
  LiquidationStarted: { account: 'int', scope: 'int', equity: 'int', maintenance: 'int' },
  LiquidationStepped: { account: 'int', market: 'int', order: 'int', lots: 'int', limit: 'int' },
  /** The fee that a liquidated account paid to the insurance fund for its trade. */
  LiquidationFeePaid: {
    account: 'int',
    market: 'int',
    amount: 'int',
    fund: 'int',
    deficit: 'int',
  },
  /** The takeover includes `margin`. `balance` and `wallet` are the account's afterwards. */
  BackstopTookOver: {
    account: 'int',
    market: 'int',
    backstop: 'int',
    lots: 'int',
    value: 'int',
    margin: 'int',
    balance: 'int',
    wallet: 'int',
    backstopBalance: 'int',
  },
  /** `wallet`, here and below: the wallet of the scope's position; 0 for the cross account. */
  InsurancePaid: {
    account: 'int',
    scope: 'int',
    amount: 'int',
    fund: 'int',
    balance: 'int',
    wallet: 'int',
  },
  /** The balances of both accounts, the fund and the deficit are those afterwards. `margin`: the
   *  amount that the account paid to the fund. The two `Filled` events come before this event. */
  Deleveraged: {
    account: 'int',
    counterparty: 'int',
    market: 'int',
    lots: 'int',
    value: 'int',
    margin: 'int',
    fund: 'int',
    deficit: 'int',
    accountLots: 'int',
    accountBalance: 'int',
    accountWallet: 'int',
    counterpartyLots: 'int',
    counterpartyBalance: 'int',
    counterpartyWallet: 'int',
  },
  DeficitBooked: {
    account: 'int',
    scope: 'int',
    amount: 'int',
    deficit: 'int',
    balance: 'int',
    wallet: 'int',
  },
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
