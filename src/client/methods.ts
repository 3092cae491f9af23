// The types of the client's methods, from the table of routes and its schemas: a route is a method
// as soon as it is in the table.

import type { batchActions, RequestActionType } from '../protocol/batch-actions.ts'
import type { ReplyOf, RequestOf } from '../protocol/route-schemas.ts'
import type { AccountName, CsvName, RouteName } from '../protocol/routes.ts'
import type { QuoteBody } from '../protocol/schemas/order-requests.ts'
import type { Signer } from './key.ts'

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
    ? (fields?: FieldsOf<N>) => Promise<ReplyOf<N>>
    : (fields: FieldsOf<N>) => Promise<ReplyOf<N>>
}

export type RowOf<N extends RouteName> =
  ReplyOf<N> extends { rows: readonly (infer Row)[] } ? Row : never
