// `openperp/embed`: the public API for embedding the exchange.

export {
  type Command,
  type Event,
  type EventOf,
  type ExchangeView,
  type FillPart,
  fillsOf,
  type MarketView,
} from '../core/index.ts'
export type { ApiError } from '../gateway/api-error.ts'
export type { Difference } from '../lab/diff/difference.ts'
export type { Placed } from '../sequencer/entry.ts'
export { type Batch, eventsOf, type Outcome, ownEventsOf, refusalOf } from '../sequencer/outcome.ts'
export { diff } from './diff.ts'
export { createExchange, type EmbeddedExchange } from './exchange.ts'
export type { Fetch, Listening } from './http/reached.ts'
export type { Duration, Instant } from './options/duration.ts'
export type { MarketChoice, MarketPlan } from './options/listings.ts'
export type { ExchangeOptions } from './options/options.ts'
export type {
  AccountNow,
  Done,
  LimitOrder,
  MarketOrder,
  NotDone,
  OpenOrder,
  OrderStatus,
  PlacedOrder,
  PositionNow,
  Trader,
} from './trader.ts'
