// The door of the core: whatever others may know of it stands here, and no other file of it is
// imported from outside. Commands go in, events come out; in between nobody looks.

// What an exchange begins with, and the accounts that are its own.
export { DEFICIT, FEES, INSURANCE } from './accounts/account-pool.ts'
// A state that nobody can look into, what is done with it, and the view through which it is read.
export {
  apply,
  type ClosedState,
  checkInvariants,
  createState,
  decodeState,
  encodeState,
  viewOf,
} from './closed-state.ts'
// What may be asked for, and why it may be refused.
export type {
  AgentScope,
  BatchAction,
  CancelOrder,
  CancelStop,
  Command,
  CommandOf,
  CommandType,
  DisarmConnection,
  EditOrder,
  EndConnection,
  FeeTier,
  Level,
  Mode,
  OrderRef,
  PlaceMarketOrder,
  PlaceOrder,
  Proof,
  Sequenced,
  SetPositionTpsl,
  Side,
  TriggerBy,
} from './commands/commands.ts'
export type { AccountId, MarketId, OrderId, WithdrawalId } from './commands/ids.ts'
export { type Rejection, type RejectionName, rejections } from './commands/rejections.ts'
// What happened: as objects, or as the rows of the log, whose columns have names.
export { columnsOf } from './events/event-columns.ts'
export {
  cancelReasons,
  causes,
  type Event,
  type EventOf,
  type EventType,
  eventTypes,
  fillKinds,
  origins,
  roles,
  sides,
  tifs,
  triggerBys,
  triggerKinds,
  twapEnds,
} from './events/event-fields.ts'
export { EventLog, kindOfEvent, rowWidth } from './events/event-log.ts'
// What a market is made of.
export { unitValueOf } from './markets/market.ts'
export type { MarketChange, MarketParams, Step } from './markets/market-params.ts'
export type { OrderWish } from './matching/preview-order.ts'
// The bounds of everything.
export { limits } from './rules/limits.ts'
export type { PriceRules } from './rules/rule-book.ts'
export type { Genesis } from './state/genesis.ts'
export { twapEnd } from './triggers/twap.ts'
export type { AccountNumbers, MarketSetting } from './view/account-numbers.ts'
export type { Depth, DepthLevel, LevelArrays, Offer } from './view/book-view.ts'
export type { ExchangeView } from './view/exchange-view.ts'
export { type MarketStatus, type MarketView, marketStatuses } from './view/market-view.ts'
export type { ApiKeyView, ArmedView } from './view/memberships.ts'
export type { Reserve } from './view/money-view.ts'
export { closableLots, type OpenOrder } from './view/open-orders.ts'
export type { OpenTwap } from './view/open-twaps.ts'
export type { OrderPreview } from './view/order-preview.ts'
export type { Quotation } from './view/order-view.ts'
export type { Holding, PositionNumbers } from './view/position-view.ts'
