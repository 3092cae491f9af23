// The types of the client's methods and frames, from the tables of routes and channels and their
// schemas: a route is a method as soon as it is in the table. What is built has these types written
// out, with the descriptions of the reference (src/main/declarations), so that editors show them.

import type { batchActions, RequestActionType } from '../protocol/batch-actions.ts'
import type { ReplyOf, RequestOf } from '../protocol/route-schemas.ts'
import type { AccountName, CsvName, PageName, RouteName } from '../protocol/routes.ts'
import type { QuoteBody } from '../protocol/schemas/order-requests.ts'
import type { DataOf as DataOfName } from '../protocol/streams/channel-schemas.ts'
import type { declared, NameOf, Source } from '../protocol/streams/channels.ts'
import type { Signer } from './key.ts'
import type { CallOptions } from './requests.ts'

export type { ReplyOf } from '../protocol/route-schemas.ts'
export type { CsvName, PageName, RouteName, WsName } from '../protocol/routes.ts'
export type { Source } from '../protocol/streams/channels.ts'
export type { TradingReplyOf } from '../protocol/streams/trading-replies.ts'

/** Undefined is a field that is not there. */
type Given<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] }

type AccountGiven<N extends AccountName> = Omit<RequestOf<N>, 'account'> & {
  /** The client's own unless said otherwise. */
  account?: string
}

type RequestAction = {
  [T in RequestActionType]: Readonly<{ type: T; data: FieldsOf<(typeof batchActions)[T]> }>
}[RequestActionType]

/** A quote is an action of a batch that is signed as a whole. */
export type BatchAction = RequestAction | Readonly<{ type: 'Quote'; data: Given<QuoteBody> }>

/** What the two requests that may have several signatures are made from. */
type Special = {
  /** `together`: one signature for all of them, which may then be fifty. */
  batch_orders: Readonly<{ actions: readonly BatchAction[]; together?: boolean }>
  create_subaccount: Readonly<{ subaccount: Signer }>
}

type Plain<N extends RouteName> = N extends AccountName ? AccountGiven<N> : RequestOf<N>

/** What a caller gives; the client adds account, time and signature. */
export type FieldsOf<N extends RouteName> = N extends keyof Special
  ? Special[N]
  : Given<N extends CsvName ? Omit<Plain<N>, 'format'> : Plain<N>>

/** `create_order` is `createOrder`. */
export type MethodName<N extends string> = N extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<MethodName<Tail>>}`
  : N

export function methodName<N extends RouteName>(name: N): MethodName<N> {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as MethodName<N>
}

export type Methods = {
  [N in RouteName as MethodName<N>]: object extends FieldsOf<N>
    ? (fields?: FieldsOf<N>, options?: CallOptions) => Promise<ReplyOf<N>>
    : (fields: FieldsOf<N>, options?: CallOptions) => Promise<ReplyOf<N>>
}

/** A row of a list with pages. */
export type RowOf<N extends PageName> =
  ReplyOf<N> extends { rows: readonly (infer Row)[] } ? Row : never

/** The `data` of the frames of a channel. */
export type DataOf<S extends Source> = DataOfName<NameOf<S>>

/** The fields of a subscription to a channel, other than its name. */
export type OfSource<S extends Source> = (typeof declared)[NameOf<S>] extends { since: true }
  ? 'past'
  : (typeof declared)[NameOf<S>]['of']
