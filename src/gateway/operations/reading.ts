// Common checks of reads of an account: the account, whether the caller may see it, and the market.
// The errors for an invalid address or an unlisted market are the same everywhere.

import type { ExchangeView, MarketParams } from '../../core/index.ts'
import type { Sight } from '../../projections/sight.ts'
import { apiError } from '../api-error.ts'
import type { Exchange } from '../exchange.ts'
import { addressIn } from '../known-address.ts'
import type { Caller } from '../operation.ts'
import { unknownMarket } from '../refusal.ts'

type ReadContext = Readonly<{ caller: Caller; exchange: Exchange }>

/** Returns the address if it is valid and the caller may read it. It need not have an account. */
export function readableAddress(context: ReadContext, address: string): string {
  addressIn('account', address)
  requireReader(context, address)
  return address
}

/** Returns the id of the account; 0 if the address has none yet. */
export function readableAccount(context: ReadContext, address: string): number {
  return context.exchange.view.accounts.idOf(readableAddress(context, address))
}

type Orders = ExchangeView['orders']
type OpenList = 'openOf' | 'twapsOf' | 'algosOf'

/** Formats the account's rows of an open list, such as its orders or positions. */
export function openRows<List extends OpenList, Wire>(
  context: ReadContext & Readonly<{ request: Readonly<{ account: string }> }>,
  list: List,
  wireOf: (params: MarketParams, row: ReturnType<Orders[List]>[number]) => Wire,
  isShown: (row: ReturnType<Orders[List]>[number]) => boolean = () => true,
): Wire[] {
  const { orders, markets } = context.exchange.view
  const account = readableAccount(context, context.request.account)
  const rows: ReturnType<Orders[OpenList]> = account === 0 ? [] : orders[list](account)
  return rows
    .filter((row) => isShown(row as never))
    .map((row) => wireOf(markets.paramsOf(row.market), row as never))
}

/** Whether the caller has proved to be the owner, with an API key of the account or a signed
 *  read. */
export function isOwner({ keyAccount, signedAccount }: Caller, address: string): boolean {
  return keyAccount === address || signedAccount === address
}

/** Which orders of the account the caller may see. */
export function sightOf({ caller, exchange }: ReadContext, address: string): Sight {
  if (isOwner(caller, address)) return 'all'
  return exchange.settings.reads === 'public' ? 'released' : 'resting'
}

const credentials =
  'an API key of that account or a signed read, in a request header; a websocket names either by ' +
  'the method authenticate'

/** Throws unless the caller is the owner. `what`: the data, at the start of a message. */
export function requireOwner({ caller }: ReadContext, address: string, what: string): void {
  addressIn('account', address)
  if (!isOwner(caller, address))
    throw apiError('CREDENTIALS_REQUIRED', `${what} need ${credentials}`)
}

/** Throws if only owners may read and the caller is not the owner. `null` means all accounts,
 *  which no caller may read in that case. */
export function requireReader({ caller, exchange }: ReadContext, address: string | null): void {
  if (exchange.settings.reads !== 'owner') return
  if (address !== null && isOwner(caller, address)) return
  throw apiError('CREDENTIALS_REQUIRED', `reads of an account need ${credentials}`)
}

/** Throws unless the caller may read stops, algos, their history and places in queues: only the
 *  owner, unless reads are public. */
export function requireAlgoReader({ caller, exchange }: ReadContext, address: string | null): void {
  if (address !== null) addressIn('account', address)
  if (exchange.settings.reads === 'public') return
  if (address !== null && isOwner(caller, address)) return
  throw apiError('CREDENTIALS_REQUIRED', `reads of algos and queues need ${credentials}`)
}

/** Whether the caller has not proved to be the owner of any account. */
export function isAnonymous({ keyAccount, signedAccount = null }: Caller): boolean {
  return keyAccount === null && signedAccount === null
}

/** Returns the id of the market that a read names. */
export function listedId(
  exchange: Exchange,
  symbol: string,
  refusals: 'contract' | 'parameter' = 'parameter',
): number {
  const id = exchange.view.symbols.get(symbol)
  if (id === undefined) throw unknownMarket(refusals)
  return id
}

export function marketFilter(
  exchange: Exchange,
  symbol: string | null | undefined,
  refusals: 'contract' | 'parameter' = 'parameter',
): number | null {
  return symbol == null ? null : listedId(exchange, symbol, refusals)
}

type Times = Readonly<{ start_time?: number | null; end_time?: number | null }>

export function timesOf({ start_time, end_time }: Times) {
  const startMs = start_time ?? null
  const endMs = end_time ?? null
  if (startMs !== null && endMs !== null && startMs > endMs)
    throw apiError('MALFORMED_REQUEST', 'start_time must not be after end_time')
  return { startMs, endMs }
}
