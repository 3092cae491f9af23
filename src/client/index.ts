// The public entry `openperp/client`: what a program that trades here needs, in browser and Node.

export { Client } from './client.ts'
export type { ClientOptions } from './client-options.ts'
export {
  ApiRefusal,
  NetworkFailure,
  OutcomeUnknown,
  TimeoutFailure,
  UnexpectedReply,
  VenueMismatch,
} from './errors.ts'
export { type Key, keyOfSecret, keyOfSeed, newKey, type Signer } from './key.ts'
export { type Ladder, ladderOf, type Rung } from './ladder.ts'
export type {
  BatchAction,
  CsvName,
  DataOf,
  FieldsOf,
  PageName,
  ReplyOf,
  RouteName,
  RowOf,
  Source,
  TradingReplyOf,
  WsName,
} from './methods.ts'
export type { Socket, SocketMaker } from './platform/socket.ts'
export { policyCost } from './policy-cost.ts'
export { contradictions } from './receipts/contradictions.ts'
export {
  ReceiptInvalid,
  type VerifiedReceipt,
  verifyReceipt,
} from './receipts/verify-receipt.ts'
export type { CallOptions, Fetch, Table } from './requests.ts'
export { sandboxKeys } from './sandbox-keys.ts'
export { signedBody } from './signed-body.ts'
export type { Book, BookHandlers, Level } from './stream/book.ts'
export type { Health } from './stream/connection.ts'
export { SlowReader } from './stream/follow.ts'
export type { Frame, Gap, GapReason, ParamsOf } from './stream/frames.ts'
export type { Stream } from './stream/stream.ts'
export type { CancelOnDisconnect, StreamOptions } from './stream/stream-options.ts'
export type { Handlers, Subscription } from './stream/subscription.ts'
export type { Timers } from './stream/timers.ts'
export type { VenuePin, VenuePins, VenueReplaced } from './venues/venue-guard.ts'
