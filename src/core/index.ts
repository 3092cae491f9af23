// The door of the core: whatever others may know of it stands here, and no other file of it is
// imported from outside. Commands go in, events come out, the view answers; the state stays home.
// biome-ignore-all assist/source/organizeImports: grouped by what it is for

// The opaque state, and the functions that use it.
export type { ForkMark, Genesis } from './state/genesis.ts'
export {
  type ClosedState,
  apply,
  checkInvariants,
  createState,
  decodeState,
  encodeState,
  forkedState,
  viewOf,
} from './closed-state.ts'
export type { Forgotten } from './snapshot/forked-state.ts'

// Commands and their rejections.
export {
  type AgentPolicy,
  type AgentScope,
  type BatchAction,
  type CancelAllOrders,
  type CancelOrder,
  type CancelStop,
  type Command,
  type CommandOf,
  type CommandType,
  type DisarmConnection,
  type EditOrder,
  type EndConnection,
  type FeeTier,
  type Level,
  type Levels,
  type MmpLimits,
  type NeededScope,
  type OrderRef,
  type PlaceChase,
  type PlaceIceberg,
  type PlaceMarketOrder,
  type PlaceOco,
  type PlaceOrder,
  type PlaceQuote,
  type PlaceStop,
  type Proof,
  type RestingLeg,
  type Sequenced,
  type SetPositionTpsl,
  type StopLeg,
  batchCommands,
} from './commands/commands.ts'
export { commandFields, commandRecords, quoteFields } from './commands/command-fields.ts'
export type { AccountId, MarketId, OrderId, WithdrawalId } from './commands/ids.ts'
export { type Rejection, type RejectionName, rejections } from './commands/rejections.ts'
export {
  type MarketChange,
  type MarketParams,
  type Step,
  marketDefaults,
  ownerInterestDefault,
} from './commands/market-params.ts'
export { type ParamsFault, parameterBounds } from './markets/params-fault.ts'
export type { ChangePreview } from './markets/preview-change.ts'
export type { OrderEntry } from './previews/order-entry.ts'
export type { OrderWish } from './previews/preview-order.ts'
export type { Plan } from './previews/preview-plan.ts'

// Events, either as objects or as rows of the event log with named columns.
export { type Event, type EventOf, type EventType, eventTypes } from './events/event-fields.ts'
export {
  type Bits,
  bitsOf,
  columnsOf,
  kindAt,
  kindOfEvent,
  lineWidth,
  nextAfter,
  wordAt,
} from './events/event-columns.ts'
export { EventLog, eventAt } from './events/event-log.ts'
export {
  type FillPart,
  fillOf,
  fillsOf,
  makerFillsOf,
  takerFillsOf,
  takerKindOf,
} from './events/fills-of.ts'

// Commands as bytes: the format that the journal stores and the core reads.
export { TEXT, headBytes, place } from './records/layout.ts'
export { RecordReader } from './records/record-reader.ts'
export { RecordWriter } from './records/record-writer.ts'
export { writeCommand } from './records/write-command.ts'

// The current state: the view, and the types of its results.
export type { ExchangeView } from './view/exchange-view.ts'
export type { AccountNumbers } from './view/account-numbers.ts'
export type { DepthLevel, Offer } from './view/book-view.ts'
export type { MarketView } from './view/listed-market.ts'
export type { KeptTiers, MarketStatus, PriceState, TierView } from './view/market-view.ts'
export type {
  BrakeView,
  HeldCredit,
  MoneyView,
  Reserve,
  WithdrawalLimits,
} from './view/money-view.ts'
export type { ScopeStanding } from './liquidation/nearest-scope.ts'
export type { OpenAlgo } from './view/open-algos.ts'
export {
  type OpenOrder,
  type Trailing,
  closableLots,
  trailingStopPrice,
} from './view/open-orders.ts'
export type { OrderPreview, PlanPreview } from './view/order-preview.ts'
export type { Quotation } from './view/order-view.ts'
export type { QueuePosition, QueuePositions } from './book/queue-positions.ts'
export type { Backing, Holding, PositionNumbers } from './view/position-view.ts'

// Accounts of the exchange itself, limits, and small calculations that other modules need.
export { DEFICIT, FEES, INSURANCE } from './pools/account-pool.ts'
export { twapEnd } from './algos/twap.ts'
export { unitValueOf } from './state/market.ts'
export { limits } from './rules/limits.ts'
export type { PriceRules, RuleLimits } from './rules/rule-book.ts'
export { openProfit } from './view/account-rows.ts'
