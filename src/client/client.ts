// The typed client. It has one method for each route of the API, named like it: `create_order` is
// `client.createOrder(…)`. Decimals are strings, as they are on the wire. What is signed is signed
// by the account's own key, or by an agent's; the client adds account, time and signature itself.

import { openSocket } from '#socket'
import { batchActions, batchActionTypes } from '../protocol/batch-actions.ts'
import type { ReplyOf } from '../protocol/route-schemas.ts'
import {
  type CsvName,
  type PageName,
  type RouteName,
  routeNames,
  routes,
} from '../protocol/routes.ts'
import { cancelTypes, type SigningType } from '../protocol/signing-types.ts'
import { type ClientOptions, requireClientOptions, requireStreamOptions } from './client-options.ts'
import { ApiRefusal } from './errors.ts'
import { Addresses, addressesIn } from './failover/addresses.ts'
import { Nodes } from './failover/nodes.ts'
import { withOrderId } from './failover/order-ids.ts'
import { Place } from './failover/place.ts'
import type { Signer } from './key.ts'
import { type BatchAction, type FieldsOf, type Methods, methodName, type RowOf } from './methods.ts'
import { askFor, askForTable, type Fields, type Requests, type Table } from './requests.ts'
import { signedBody } from './signed-body.ts'
import { isKey, isOwnersRead, readWindowMs, SignedReads } from './signed-reads.ts'
import { Stream, type StreamOptions } from './stream/stream.ts'
import { realTimers } from './stream/timers.ts'
import { subaccountBody } from './subaccount-body.ts'
import { VenueGuard } from './venues/venue-guard.ts'

type Page<Row> = Readonly<{ rows: readonly Row[]; next_cursor: string | null }>

const timeoutMs = 15_000
const readRetries = 3
const triesMax = 200
/** Of a stream with several addresses: a node that says nothing must not be waited for. */
const pingMs = 5_000
const keyHeader = 'PF-API-KEY'

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
    this.account = options.account ?? options.signer?.address ?? null
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
      headers: options.apiKey === undefined ? {} : { [keyHeader]: options.apiKey },
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

  /** Any route by its name; the methods are this with a name. */
  async call<N extends RouteName>(name: N, fields: FieldsOf<N>): Promise<ReplyOf<N>> {
    return this.send(name, await this.body(name, fields))
  }

  /** Sends what `body` made. A signed one may be sent again after a failure: it is judged once. */
  async send<N extends RouteName>(name: N, body: Fields): Promise<ReplyOf<N>> {
    const route = routes[name]
    const { several } = this.#addresses
    const ask = () => (several ? this.#nodes.ask(route, body) : askFor(this.#requests, route, body))
    return (await this.asOwner(ask, isOwnersRead(route))) as ReplyOf<N>
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

  /** An exchange that was replaced by another one is asked again which one it is. */
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

  /** Id of the venue that this client's texts name; undefined: they name none. Throws
   *  `VenueMismatch` if the key belongs to another exchange. */
  async checkVenue(): Promise<string | undefined> {
    const { agent, signer } = this.#options
    const by = agent ?? signer
    return by === undefined ? undefined : this.venueFor(by, 'read_account')
  }

  /** Sends a signed body of which it is not known whether it was carried out. Gives the answer: of
   *  this sending, or of the earlier one; throws `OutcomeUnknown` when it cannot be told. */
  async sendAgain<N extends RouteName>(name: N, body: Fields): Promise<ReplyOf<N>> {
    return (await this.#nodes.ask(routes[name], body, true)) as ReplyOf<N>
  }

  /** What is sent: the query of a GET, the body of a POST with its signature. */
  async body<N extends RouteName>(name: N, fields: FieldsOf<N>): Promise<Fields> {
    if (routes[name] === undefined) throw new Error(unknownName(name))
    const given = fields as Fields
    if (name === 'batch_orders') return this.batch(fields as FieldsOf<'batch_orders'>)
    if (name === 'create_subaccount') return this.subaccount(given.subaccount as Signer)
    const route = routes[name]
    if (route.signs !== null) return this.signed(route, route.signs, given)
    return route.ofAccount ? { ...given, account: given.account ?? this.accountFor(name) } : given
  }

  /** All rows of a list, page by page, for as long as the caller goes on. */
  async *rows<N extends PageName>(name: N, fields: FieldsOf<N>): AsyncGenerator<RowOf<N>, void> {
    let asked = fields as Fields
    for (;;) {
      const page = await this.call(name, asked as FieldsOf<N>)
      const { rows, next_cursor } = page as unknown as Page<RowOf<N>>
      yield* rows
      if (next_cursor === null) return
      asked = { ...asked, cursor: next_cursor }
    }
  }

  /** A page of a list as comma-separated values. */
  async table<N extends CsvName>(name: N, fields: FieldsOf<N>): Promise<Table> {
    const body = await this.body(name, fields)
    return this.asOwner(() => {
      if (this.#addresses.several) return this.#nodes.table(routes[name], body)
      return askForTable(this.#requests, routes[name], body)
    }, isOwnersRead(routes[name]))
  }

  /** Takes the exchange's clock for the time of signatures from now on, for a machine whose own is
   *  wrong. Gives how far ahead of ours it is, in milliseconds. */
  async syncClock(): Promise<number> {
    const sentAt = this.now()
    const { now } = await this.call('get_time', {})
    this.aheadMs = Math.round(now - (sentAt + this.now()) / 2)
    this.#signedReads?.reset()
    return this.aheadMs
  }

  /** Live channels and trading over a websocket, which is opened at once. */
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
      elsewhere: several ? (name, body, sent) => this.#nodes.ask(routes[name], body, sent) : null,
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
    const { signer, agent, expiryWindow } = this.#options
    const address = this.accountFor(name)
    if (ownerOnly && signer === undefined)
      throw new Error(`${name} has to be signed by the account's own key; an agent may not`)
    const by = ownerOnly ? undefined : agent
    const account = signer?.address === address ? signer : { address }
    const venue = await this.venueFor(by ?? account, type)
    const timestamp = this.timestamp()
    const named = this.#addresses.several ? withOrderId(type, fields) : fields
    return signedBody(account, named, { type, timestamp, expiryWindow, agent: by, venue })
  }

  private async batch(fields: FieldsOf<'batch_orders'>): Promise<Fields> {
    const { actions, together = false, ...rest } = fields
    if (!Array.isArray(actions)) throw new Error('batch_orders needs actions, a list')
    if (together)
      return this.signed(batchRoute, 'batch_orders', { ...rest, actions: this.named(actions) })
    const signed = actions.map(async ({ type, data }: BatchAction) => {
      if (type === 'Quote') throw new Error('a Quote needs one signature: together: true')
      const name = batchActions[type]
      if (name === undefined) throw new Error(unknownAction(type))
      return { type, data: await this.signed(routes[name], name, data as Fields) }
    })
    return { actions: await Promise.all(signed) }
  }

  private named(actions: readonly BatchAction[]): readonly Fields[] {
    if (!this.#addresses.several) return actions
    return actions.map(({ type, data }) => ({
      type,
      data: type === 'Quote' ? data : withOrderId(batchActions[type], data as Fields),
    }))
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
const unknownAction = (type: string) =>
  `${type} is no action of a batch; these are: ${batchActionTypes.join(', ')}`

const batchRoute = { name: 'batch_orders', ownerOnly: false } as const

for (const name of routeNames)
  Object.defineProperty(Caller.prototype, methodName(name), {
    value(this: Caller, fields: FieldsOf<RouteName> = {} as never) {
      return this.call(name, fields)
    },
  })

export type Client = Caller & Methods
export const Client = Caller as unknown as new (options: ClientOptions) => Client
