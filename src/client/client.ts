// The typed client. It has one method for each route of the API, named like it: `create_order` is
// `client.createOrder(…)`. Decimals are strings, as they are on the wire. What is signed is signed
// by the account's own key, or by an agent's; the client adds account, time and signature itself.

import { openSocket } from '#socket'
import { routeNames, routes } from '../protocol/routes.ts'
import { cancelTypes, type SigningType } from '../protocol/signing-types.ts'
import { batchBody } from './batch-body.ts'
import { type ClientOptions, requireClientOptions, requireStreamOptions } from './client-options.ts'
import { ApiRefusal } from './errors.ts'
import { Addresses, addressesIn } from './failover/addresses.ts'
import { Nodes } from './failover/nodes.ts'
import { withOrderId } from './failover/order-ids.ts'
import { Place } from './failover/place.ts'
import { outcomeOpen } from './failover/repeatable.ts'
import type { Signer } from './key.ts'
import {
  type CsvName,
  type FieldsOf,
  type Methods,
  methodName,
  type PageName,
  type ReplyOf,
  type RouteName,
  type RowOf,
} from './methods.ts'
import {
  type CallOptions,
  checkedSignal,
  type Fields,
  headersOf,
  type Requests,
  request,
  requestTable,
  type Table,
} from './requests.ts'
import { signedBody } from './signed-body.ts'
import { isKey, isOwnersRead, readWindowMs, SignedReads } from './signed-reads.ts'
import { Stream } from './stream/stream.ts'
import type { StreamOptions } from './stream/stream-options.ts'
import { realTimers } from './stream/timers.ts'
import { subaccountBody } from './subaccount-body.ts'
import { VenueGuard } from './venues/venue-guard.ts'

type Page<Row> = Readonly<{ rows: readonly Row[]; next_cursor: string | null }>

const timeoutMs = 15_000
const readRetries = 3
const triesMax = 200
/** Of a stream with several addresses: a node that says nothing must not be waited for. */
const pingMs = 5_000

class Caller {
  /** Address of the account that requests are for; null: none was given. */
  readonly account: string | null
  // Private to the machine too, so that printing a client prints no key.
  readonly #options: ClientOptions
  readonly #requests: Requests
  readonly #addresses: Addresses
  readonly #place = new Place()
  readonly #nodes: Nodes
  readonly #signedReads: SignedReads | null
  private readonly venues: VenueGuard
  private readonly tryMs: number
  private lastTimestamp = 0
  private aheadMs = 0

  constructor(options: ClientOptions) {
    requireClientOptions(options)
    this.#options = options
    this.account = options.actAs ?? options.account ?? options.signer?.address ?? null
    this.#addresses = new Addresses(addressesIn(options.url))
    const { venue, venues, onVenueReplaced } = options
    this.venues = new VenueGuard({
      ...{ venue, venues, onVenueReplaced },
      url: () => this.#addresses.current,
      ask: () => this.call('get_venue', {}),
    })
    this.#signedReads = this.signsReads() ? this.signedReads() : null
    this.#requests = {
      signedReads: this.#signedReads,
      url: this.#addresses.current,
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      headers: headersOf(options),
      sandboxToken: options.sandboxToken,
      timeoutMs: options.timeoutMs ?? timeoutMs,
      readRetries: options.readRetries ?? readRetries,
    }
    const { timeoutMs: mostMs } = this.#requests
    this.tryMs = options.tryMs ?? Math.ceil(mostMs / 5)
    this.#nodes = new Nodes({
      requests: this.#requests,
      addresses: this.#addresses,
      place: this.#place,
      tryMs: this.tryMs,
      triesMax: options.triesMax ?? triesMax,
    })
  }

  /** Runs any operation by its name, such as `create_order`; the methods do the same.
   *  @throws {ApiRefusal} The exchange refused it.
   *  @throws {NetworkFailure | TimeoutFailure | OutcomeUnknown} It may have been carried out. */
  async call<N extends RouteName>(
    name: N,
    fields: FieldsOf<N>,
    options: CallOptions = {},
  ): Promise<ReplyOf<N>> {
    const body = await this.body(name, fields)
    return this.send(name, body, options)
  }

  /** Sends what `body` made. A signed body may be sent again after a failure: it is carried out
   *  once.
   *  @throws {ApiRefusal} The exchange refused it; `REPLAYED`: it was decided before.
   *  @throws {NetworkFailure | TimeoutFailure | OutcomeUnknown} It may have been carried out. */
  async send<N extends RouteName>(
    name: N,
    body: Fields,
    options: CallOptions = {},
  ): Promise<ReplyOf<N>> {
    const route = routes[name]
    const { several } = this.#addresses
    const signal = checkedSignal(options)
    const ask = () =>
      several
        ? this.#nodes.ask(route, body, { signal })
        : request(this.#requests, route, body, signal)
    const reply = this.asOwner(ask, isOwnersRead(route)).catch(outcomeOpen(route, body))
    return reply as Promise<ReplyOf<N>>
  }

  /** A read whose signature the exchange does not accept any more is sent without. */
  private async asOwner<T>(ask: () => Promise<T>, isSigned: boolean): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      this.refused(error)
      if (!isSigned || this.#signedReads?.gaveUp(error) !== true) throw error
      return ask()
    }
  }

  /** If the exchange was replaced by another one, its venue id is requested again. */
  private refused(error: unknown): void {
    if (!(error instanceof ApiRefusal) || error.reason !== 'OTHER_VENUE') return
    this.venues.reset()
    this.#signedReads?.reset()
  }

  private signsReads(): boolean {
    const { signer, agent, apiKey, signReads } = this.#options
    if (signer === undefined && agent === undefined) return false
    // With several addresses, what became of a lost request is looked up, also while it waits.
    const isFree = isKey(signer) || isKey(agent) || this.#addresses.several
    return signReads ?? (apiKey === undefined && isFree)
  }

  /** By the account's own key if that is here, else by its agent. */
  private signedReads(): SignedReads {
    const { signer, agent } = this.#options
    const address = this.accountFor('read_account')
    const own = signer?.address === address ? signer : undefined
    const by = agent !== undefined && !isKey(own) ? agent : undefined
    const account = own ?? { address }
    const sign = async () => {
      const venue = await this.venueFor(by ?? account, 'read_account')
      const timestamp = this.now() + this.aheadMs
      const options = { timestamp, expiryWindow: readWindowMs, agent: by, venue }
      return signedBody(account, {}, { type: 'read_account', ...options })
    }
    return new SignedReads({ sign, now: () => this.now() })
  }

  /** Returns the id of the venue that this client's signed texts name; undefined if they name none.
   *  @throws {VenueMismatch} The key belongs to another exchange. */
  async checkVenue(): Promise<string | undefined> {
    const { agent, signer } = this.#options
    const by = agent ?? signer
    return by === undefined ? undefined : this.venueFor(by, 'read_account')
  }

  /** Sends a signed body again of which it is not known whether it was carried out. Returns the
   *  reply, of this sending or of the earlier one.
   *  @throws {OutcomeUnknown} It cannot be determined. */
  async sendAgain<N extends RouteName>(
    name: N,
    body: Fields,
    options: CallOptions = {},
  ): Promise<ReplyOf<N>> {
    const signal = checkedSignal(options)
    return (await this.#nodes.ask(routes[name], body, { mayBeDone: true, signal })) as ReplyOf<N>
  }

  /** Returns what `send` sends: the query of a GET, the body of a POST with its signature.
   *  @throws {VenueMismatch} The key belongs to another exchange. */
  async body<N extends RouteName>(name: N, fields: FieldsOf<N>): Promise<Fields> {
    if (routes[name] === undefined) throw new Error(unknownName(name))
    const given = fields as Fields
    if (name === 'batch_orders') return this.batch(fields as FieldsOf<'batch_orders'>)
    if (name === 'create_subaccount') return this.subaccount(given.subaccount as Signer)
    const route = routes[name]
    if (route.signs !== null) return this.signed(route, route.signs, given)
    return route.ofAccount ? { ...given, account: given.account ?? this.accountFor(name) } : given
  }

  /** All rows of a list, newest first, requested page by page while the loop goes on.
   *  @throws {ApiRefusal} The exchange refused a page. */
  async *rows<N extends PageName>(
    name: N,
    fields: FieldsOf<N>,
    options: CallOptions = {},
  ): AsyncGenerator<RowOf<N>, void> {
    let query = fields as Fields
    for (;;) {
      const page = await this.call(name, query as FieldsOf<N>, options)
      const { rows, next_cursor } = page as unknown as Page<RowOf<N>>
      yield* rows
      if (next_cursor === null) return
      query = { ...query, cursor: next_cursor }
    }
  }

  /** A page of a list as comma-separated values, with a header row.
   *  @throws {ApiRefusal} The exchange refused it. */
  async table<N extends CsvName>(
    name: N,
    fields: FieldsOf<N>,
    options: CallOptions = {},
  ): Promise<Table> {
    const body = await this.body(name, fields)
    const signal = checkedSignal(options)
    return this.asOwner(() => {
      if (this.#addresses.several) return this.#nodes.table(routes[name], body, signal)
      return requestTable(this.#requests, routes[name], body, signal)
    }, isOwnersRead(routes[name]))
  }

  /** Uses the exchange's clock for the time of signatures from now on, for a machine whose own is
   *  wrong. Returns how far it is ahead of the machine's, in milliseconds.
   *  @throws {NetworkFailure | TimeoutFailure} No reply came. */
  async syncClock(): Promise<number> {
    const sentAt = this.now()
    const { now } = await this.call('get_time', {})
    this.aheadMs = Math.round(now - (sentAt + this.now()) / 2)
    this.#signedReads?.reset()
    return this.aheadMs
  }

  /** Opens a websocket for live channels and for trading. It is opened again when it is lost. */
  stream(options: StreamOptions = {}): Stream {
    requireStreamOptions(options)
    const { headers, timeoutMs } = this.#requests
    const { several, fromCurrent } = this.#addresses
    const place = this.#place
    return new Stream({
      urls: fromCurrent.map((url) => `${url.replace(/^http/, 'ws')}/ws`),
      headers,
      apiKey: this.#options.apiKey ?? null,
      account: this.account,
      signedRead: () => this.#signedReads?.body() ?? null,
      timers: options.timers ?? realTimers,
      openSocket: options.openSocket ?? this.#options.openSocket ?? openSocket,
      timeoutMs: options.timeoutMs ?? (several ? this.tryMs : timeoutMs),
      options: several ? { pingMs, ...options } : options,
      saw: (li) => place.saw(li),
      refused: (error) => this.refused(error),
      body: (name, fields) => this.body(name, fields),
      bodyToArm: (fields) =>
        this.signed(
          { name: 'cancel_on_disconnect', ownerOnly: false },
          'cancel_on_disconnect',
          fields,
        ),
      elsewhere: several
        ? (name, body, sent) => this.#nodes.ask(routes[name], body, { mayBeDone: sent })
        : null,
    })
  }

  private now(): number {
    return this.#options.now?.() ?? Date.now()
  }

  /** Never the same twice, because a text is accepted once. */
  private timestamp(): number {
    this.lastTimestamp = Math.max(this.lastTimestamp + 1, this.now() + this.aheadMs)
    return this.lastTimestamp
  }

  private accountFor(name: string): string {
    if (this.account !== null) return this.account
    throw new Error(`${name} is about an account: name it, or make the client with one or a signer`)
  }

  /** What a text of this key names, if there is a key. */
  private async venueFor(by: Signer | Readonly<{ address: string }>, type: SigningType) {
    const takesAway = cancelTypes.has(type) || type.startsWith('revoke_')
    return 'sign' in by ? this.venues.venueFor(by.address, takesAway) : undefined
  }

  private async signed(
    { name, ownerOnly }: Readonly<{ name: string; ownerOnly: boolean }>,
    type: SigningType,
    fields: Fields,
  ): Promise<Fields> {
    const { actAs, signer, agent, expiryWindow } = this.#options
    const address = this.accountFor(name)
    if (ownerOnly && signer === undefined && actAs === undefined)
      throw new Error(`${name} has to be signed by the account's own key; an agent may not`)
    const named = this.#addresses.several ? withOrderId(type, fields) : fields
    if (actAs !== undefined) return named
    const by = ownerOnly ? undefined : agent
    const account = signer?.address === address ? signer : { address }
    const venue = await this.venueFor(by ?? account, type)
    const timestamp = this.timestamp()
    return signedBody(account, named, { type, timestamp, expiryWindow, agent: by, venue })
  }

  private batch(fields: FieldsOf<'batch_orders'>): Promise<Fields> {
    const { several } = this.#addresses
    return batchBody(fields, several, (route, type, given) => this.signed(route, type, given))
  }

  private async subaccount(sub: Signer): Promise<Fields> {
    const { signer, expiryWindow } = this.#options
    if (signer === undefined) throw new Error('create_subaccount needs the key of the main account')
    // Both keys sign for the same venue.
    const venue = await this.venueFor(signer, 'subaccount_confirm')
    await this.venueFor(sub, 'subaccount_initiate')
    const window = expiryWindow === undefined ? {} : { expiry_window: expiryWindow }
    const named = venue === undefined ? {} : { venue }
    return subaccountBody(signer, sub, { timestamp: this.timestamp(), ...window, ...named })
  }
}

const unknownName = (name: string) =>
  `there is no operation ${name}; docs/api/reference.md has their names, such as create_order`

for (const name of routeNames)
  Object.defineProperty(Caller.prototype, methodName(name), {
    value(this: Caller, fields: FieldsOf<RouteName> = {} as never, options: CallOptions = {}) {
      return this.call(name, fields, options)
    },
  })

/** A client of one exchange: it signs and sends requests, and opens streams. It has one method for
 *  each operation of the API. */
export type Client = Caller & Methods
/** A client of one exchange: it signs and sends requests, and opens streams. */
export const Client = Caller as unknown as new (options: ClientOptions) => Client
