// The door of the core: whatever others may know of it stands here, and no other file of it is
// imported from outside. Commands go in, events come out; in between nobody looks.

// What an exchange begins with, and the accounts that are its own.
export { DEFICIT, FEES, INSURANCE } from './accounts/account-pool.ts'
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
// The bounds of everything.
export { limits } from './rules/limits.ts'
export type { PriceRules } from './rules/rule-book.ts'
export type { Genesis } from './state/genesis.ts'
