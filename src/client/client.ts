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
import { subaccountConfirmText, subaccountInitiateText } from '../protocol/signing-text.ts'
import type { SigningType } from '../protocol/signing-types.ts'
import { Addresses, addressesIn } from './failover/addresses.ts'
import { Nodes } from './failover/nodes.ts'
import { withOrderId } from './failover/order-ids.ts'
import { Place } from './failover/place.ts'
import type { Signer } from './key.ts'
import { type BatchAction, type FieldsOf, type Methods, methodName, type RowOf } from './methods.ts'
import type { SocketMaker } from './platform/socket.ts'
import {
  askFor,
  askForTable,
  type Fetch,
  type Fields,
  type Requests,
  type Table,
} from './requests.ts'
import { signatureOf } from './signature.ts'
import { signedBody } from './signed-body.ts'
import { isKey, isOwnersRead, readWindowMs, SignedReads } from './signed-reads.ts'
import { Stream, type StreamOptions } from './stream/stream.ts'
import { realTimers } from './stream/timers.ts'

export type ClientOptions = Readonly<{
  /** Where the exchange is, as `http://127.0.0.1:8080`; several addresses of it in a list, or in
   *  one text with commas: what one of them cannot answer is asked of the next. */
  url: string | readonly string[]
  /** The key of the account. */
  signer?: Signer | undefined
  /** A key that is bound to the account as its agent: it signs what an agent may sign. */
  agent?: Signer | undefined
  /** The account's address where its key is not here: to read it, or to sign by its agent. */
  account?: string | undefined
  apiKey?: string | undefined
  /** Whether reads of the account are signed, so that the exchange shows the owner everything
   *  (default: on with a key or an agent that is kept here, off with a wallet, which would ask its
   *  user, and with an API key, which does the same). */
  signReads?: boolean | undefined
  /** How long a signature is good for, in milliseconds; the exchange's 30 s unless given. */
  expiryWindow?: number | undefined
  /** How long to wait for an answer, in milliseconds, at all addresses together; 15 s unless
   *  given. */
  timeoutMs?: number | undefined
  /** Of several addresses: how long one may take before the next is asked; a fifth of that. */
  tryMs?: number | undefined
  /** Of several addresses: how often to ask before giving up; 200 unless given. */
  triesMax?: number | undefined
  /** How often to come again for a read that the exchange is not ready for; 3 unless given. */
  readRetries?: number | undefined
  /** In place of the platform's own: the embedded exchange brings its own. */
  fetch?: Fetch | undefined
  /** In place of the platform's own websocket. */
  openSocket?: SocketMaker | undefined
  /** Milliseconds; signatures are valid by the machine's clock at the exchange. */
  now?: (() => number) | undefined
}>

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
  private readonly tryMs: number
  private lastTimestamp = 0
  private aheadMs = 0

  constructor(options: ClientOptions) {
    this.#options = options
    this.account = options.account ?? options.signer?.address ?? null
    this.#addresses = new Addresses(addressesIn(options.url))
    this.#signedReads = this.signsReads() ? this.signedReads() : null
    this.#requests = {
      signedReads: this.#signedReads,
      url: this.#addresses.current,
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      headers: options.apiKey === undefined ? {} : { [keyHeader]: options.apiKey },
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
    return this.asOwner(async () => {
      const route = routes[name]
      if (this.#addresses.several) return (await this.#nodes.ask(route, body)) as ReplyOf<N>
      return (await askFor(this.#requests, route, body)) as ReplyOf<N>
    }, isOwnersRead(routes[name]))
  }

  /** A read whose signature the exchange does not accept any more is sent without. */
  private async asOwner<T>(ask: () => Promise<T>, isSigned: boolean): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      if (!isSigned || this.#signedReads?.gaveUp(error) !== true) throw error
      return ask()
    }
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
    const sign = () => {
      const timestamp = this.now() + this.aheadMs
      const options = { timestamp, expiryWindow: readWindowMs, agent: by }
      return signedBody(account, {}, { type: 'read_account', ...options })
    }
    return new SignedReads({ sign, now: () => this.now() })
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

  private signed(
    { name, ownerOnly }: Readonly<{ name: string; ownerOnly: boolean }>,
    type: SigningType,
    fields: Fields,
  ): Promise<Fields> {
    const { signer, agent, expiryWindow } = this.#options
    const address = this.accountFor(name)
    if (ownerOnly && signer === undefined)
      throw new Error(`${name} has to be signed by the account's own key; an agent may not`)
    const timestamp = this.timestamp()
    const by = ownerOnly ? undefined : agent
    const account = signer?.address === address ? signer : { address }
    const named = this.#addresses.several ? withOrderId(type, fields) : fields
    return signedBody(account, named, { type, timestamp, expiryWindow, agent: by })
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
    const window = expiryWindow === undefined ? {} : { expiry_window: expiryWindow }
    const header = { timestamp: this.timestamp(), ...window }
    const subSignature = await signatureOf(sub, subaccountInitiateText(signer.address, header))
    const mainSignature = await signatureOf(signer, subaccountConfirmText(subSignature, header))
    return {
      main_account: signer.address,
      subaccount: sub.address,
      main_signature: mainSignature,
      sub_signature: subSignature,
      ...header,
    }
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
