// All live data over one websocket: channels of markets and of one account, and trading. After a
// lost connection all subscriptions are restored. Account channels resume, other channels start
// again, and readers are notified of possible gaps.

import { routes } from '../../protocol/routes.ts'
import { channelOfSource, declared } from '../../protocol/streams/channels.ts'
import { ApiRefusal, NetworkFailure } from '../errors.ts'
import { failureOf, outcomeOpen } from '../failover/repeatable.ts'
import type { FieldsOf, Source, TradingReplyOf, WsName } from '../methods.ts'
import { type CallOptions, type Fields, untilAborted } from '../requests.ts'
import { Book, type BookHandlers } from './book.ts'
import { Connection, type Health } from './connection.ts'
import { Follow } from './follow.ts'
import type { Frame, Gap, Message, ParamsOf } from './frames.ts'
import { bookHandlers, frameHandlers, requireHandlers } from './handler-checks.ts'
import type { CancelOnDisconnect, StreamParts } from './stream-options.ts'
import { type Handlers, keyOf, keyOfFrame, type Params, Subscription } from './subscription.ts'
import { tradingReplyOf } from './trading-reply.ts'

const pingMs = 15_000
const backoffMs = { first: 250, most: 15_000 }
const followMax = 1_000
const paramNames = {
  all: [],
  symbol: ['symbol'],
  book: ['symbol', 'agg_level'],
  interval: ['symbol', 'interval'],
} as const

type Settle = Readonly<{ resolve(): void; reject(error: Error): void }>

export class Stream {
  readonly #parts: StreamParts
  private readonly subscriptions = new Map<string, Subscription>()
  private readonly follows = new Set<Follow<Source>>()
  private readonly connection: Connection
  private armed: CancelOnDisconnect | null = null
  /** The connection is open and authenticated. */
  private begun = false
  private opens = 0
  /** The newest sequence number received on any connection. */
  private li = 0
  /** Calls of `cancelOnDisconnect` that wait for a connection. */
  private readonly arming: Settle[] = []

  constructor(parts: StreamParts) {
    this.#parts = parts
    const { options } = parts
    this.connection = new Connection({
      ...parts,
      pingMs: options.pingMs ?? pingMs,
      backoffMs: options.backoffMs ?? backoffMs,
      opened: () => this.opened(),
      heard: (message) => this.heard(message),
      down: () => {
        this.begun = false
        for (const each of this.subscriptions.values()) each.down()
      },
      // Deferred, because the first change occurs before the connection is assigned.
      healthChanged: () => queueMicrotask(() => options.onHealth?.(this.health())),
    })
  }

  /** State of the connection, for display. */
  health(): Health {
    return this.connection.health()
  }

  /** Calls `handlers` with every frame until it is closed.
   *  @throws {TypeError} The handlers are not functions.
   *  @throws {Error} The stream has this subscription already. */
  subscribe<S extends Source>(
    source: S,
    params: ParamsOf<S>,
    handlers: Handlers<S> | Handlers<S>['frame'],
  ): Subscription<S> {
    const named = { source, params: this.paramsFor(source, params) }
    if (this.subscriptions.has(keyOf(source, named.params)))
      throw new Error(
        `this stream is already subscribed to ${keyOf(source, params)}; open a second stream for ` +
          'another handler',
      )
    const given = typeof handlers === 'function' ? { frame: handlers } : handlers
    requireHandlers(given, frameHandlers)
    const subscription = new Subscription<S>(named, given, () => this.unsubscribe(general))
    const general = subscription as unknown as Subscription
    this.subscriptions.set(subscription.key, general)
    this.ask(general)
    return subscription
  }

  /** Subscribes for use in a `for await` loop. Leaving the loop ends the subscription. Up to
   *  `bufferMax` frames are buffered (default: 1000); if there are more, the loop rejects with
   *  `SlowReader`.
   *  @throws {Error} The stream has this subscription already. */
  follow<S extends Source>(source: S, params: ParamsOf<S>, bufferMax = followMax): Follow<S> {
    const follow = new Follow(source, bufferMax)
    const subscription = this.subscribe(source, params, follow.handlers())
    this.follows.add(follow as never)
    return follow.begin(subscription.ready, () => {
      this.follows.delete(follow as never)
      subscription.close()
    })
  }

  /** Subscribes to the complete book of a market, which is kept up to date and checked.
   *  @throws {TypeError} The handlers are not functions.
   *  @throws {Error} The stream has this book already. */
  book(symbol: string, handlers: BookHandlers | ((book: Book) => void)): Book {
    const given = typeof handlers === 'function' ? { changed: handlers } : handlers
    requireHandlers(given, bookHandlers)
    const parts = {
      symbol,
      handlers: given,
      timers: this.#parts.timers,
      renew: (gap: Gap) => this.renew(subscription as unknown as Subscription, gap),
      end: () => subscription.close(),
    }
    const book = new Book(parts)
    const subscription = this.subscribe(
      'book_delta',
      { symbol },
      {
        frame: (frame: Frame<'book_delta'>) => book.take(frame),
        gap: (gap) => book.lost(gap),
        down: () => book.down(),
        refused: (error) => given.refused?.(error),
      },
    )
    return book
  }

  /** Sends a request over the websocket, signed as over HTTP. With one address the request is sent
   *  at most once. It fails if there is no connection. If the connection ends before the reply,
   *  the request may have been executed. With several addresses, a request without a reply is sent
   *  again over HTTP.
   *  @throws {ApiRefusal} The exchange refused the request.
   *  @throws {NetworkFailure | TimeoutFailure | OutcomeUnknown} No reply was received, or none that
   *  says what happened; the request may have been executed. */
  async call<N extends WsName>(
    name: N,
    fields: FieldsOf<N>,
    options: CallOptions = {},
  ): Promise<TradingReplyOf<N>> {
    return untilAborted(() => this.called(name, fields), options)
  }

  private async called<N extends WsName>(name: N, fields: FieldsOf<N>): Promise<TradingReplyOf<N>> {
    const { elsewhere } = this.#parts
    const body = await this.#parts.body(name, fields)
    const { isOpen } = this.connection
    try {
      const { data } = await this.request({ params: { [name]: body } })
      return data as TradingReplyOf<N>
    } catch (error) {
      if (elsewhere === null) return outcomeOpen(routes[name], body)(error)
      if (failureOf(error) === null) throw error
      return tradingReplyOf(name, body, await elsewhere(name, body, isOpen))
    }
  }

  /** Cancels the account's orders whenever a connection of this stream ends, including connections
   *  that are opened later; `null` disables this. Without a connection the call waits for the next
   *  one.
   *  @throws {ApiRefusal} The exchange refused the request.
   *  @throws {NetworkFailure} The stream was closed first. */
  async cancelOnDisconnect(wanted: CancelOnDisconnect | null): Promise<void> {
    this.armed = wanted
    if (this.begun) return this.arm()
    if (wanted === null) return this.settleArming(null)
    return new Promise((resolve, reject) => this.arming.push({ resolve, reject }))
  }

  /** Closes the connection and ends every loop. */
  close(): void {
    for (const follow of this.follows) follow.finish()
    this.subscriptions.clear()
    this.settleArming(new NetworkFailure('the stream was closed before it was armed'))
    this.connection.close()
  }

  /** Returns only the parameters that the exchange accepts for this channel. */
  private paramsFor(source: Source, given: Params): Params {
    const { of } = declared[channelOfSource(source)!]
    const since = given.since === undefined ? {} : { since: given.since }
    if (of === 'account') return { account: this.accountFor(source, given), ...since }
    return Object.fromEntries(
      paramNames[of].flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
    )
  }

  private accountFor(source: Source, given: Params): string {
    const { account } = this.#parts
    if ((given.account ?? account) !== account)
      throw new Error(`a stream is of one account, and this one's is ${account}; make another`)
    if (account !== null) return account
    throw new Error(`${source} is of an account: make the client with a signer or an account`)
  }

  private opened(): void {
    const { apiKey, openSocket } = this.#parts
    if (apiKey !== null && openSocket.leavesHeadersOut === true)
      this.authenticate({ api_key: apiKey })
    const signing = this.#parts.signedRead()
    if (signing === null) return this.begin()
    this.opens += 1
    const { opens } = this
    // The connection may have been replaced while the request was signed.
    const then = (work: () => void) => {
      if (this.opens === opens && this.connection.isOpen) work()
    }
    signing.then(
      (body) =>
        then(() => {
          this.authenticate(body)
          this.begin()
        }),
      (error: Error) =>
        then(() => {
          this.#parts.options.onError?.(error)
          this.begin()
        }),
    )
  }

  /** The exchange reads messages in order, so that later requests are made by the authenticated
   *  owner. */
  private authenticate(params: Fields): void {
    this.request({ method: 'authenticate', params }).catch((error: Error) =>
      this.#parts.options.onError?.(error),
    )
  }

  private begin(): void {
    this.begun = true
    for (const each of this.subscriptions.values()) this.ask(each)
    if (this.armed === null) return
    const failed = (error: Error) => {
      this.settleArming(error)
      this.#parts.options.onError?.(error)
    }
    this.arm().then(() => this.settleArming(null), failed)
  }

  private settleArming(error: Error | null): void {
    for (const { resolve, reject } of this.arming.splice(0))
      error === null ? resolve() : reject(error)
  }

  private async arm(): Promise<void> {
    const { armed } = this
    const fields = { keep_protective: armed?.keepProtective ?? true }
    const params = armed === null ? null : await this.#parts.bodyToArm(fields)
    await this.request({ method: 'cancel_on_disconnect', params })
  }

  private request(message: Readonly<Record<string, unknown>>): Promise<Message> {
    return new Promise((resolve, reject) =>
      this.connection.ask(message, (answer) => {
        if (!(answer instanceof Error)) return resolve(answer)
        this.#parts.refused(answer)
        reject(answer)
      }),
    )
  }

  /** Subscribes now if connected; otherwise `begin` does when the connection opens. */
  private ask(subscription: Subscription): void {
    if (!this.connection.isOpen || !this.begun) return
    const message = { method: 'subscribe', params: subscription.asking() }
    this.connection.ask(message, (answer) => {
      if (this.subscriptions.get(subscription.key) !== subscription) return
      const why = this.whyElsewhere(answer)
      if (why !== null) return this.connection.leave(why)
      if (!(answer instanceof Error)) return subscription.acknowledge(answer)
      // Without a reply, the next connection subscribes again.
      if (!(answer instanceof ApiRefusal)) return
      this.subscriptions.delete(subscription.key)
      subscription.refuse(answer)
    })
  }

  /** Why the request has to be sent to another address; `null` if it has not. */
  private whyElsewhere(answer: Message | Error): string | null {
    if (this.#parts.elsewhere === null) return null
    if (answer instanceof Error) return answer instanceof ApiRefusal ? notReady(answer) : null
    if (answer.li! >= this.li) {
      this.saw(answer.li!)
      return null
    }
    return `it is at entry ${answer.li}, and ${this.li} was seen elsewhere`
  }

  private saw(li: number): void {
    if (li <= this.li) return
    this.li = li
    this.#parts.saw(li)
  }

  private unsubscribe(subscription: Subscription): void {
    if (this.subscriptions.get(subscription.key) !== subscription) return
    this.subscriptions.delete(subscription.key)
    this.leave(subscription)
  }

  private leave({ source, params }: Subscription): void {
    if (!this.connection.isOpen) return
    const message = { method: 'unsubscribe', params: { source, ...params } }
    this.connection.ask(message, () => undefined)
  }

  private renew(subscription: Subscription, gap: Gap): void {
    if (this.subscriptions.get(subscription.key) !== subscription) return
    subscription.restart(gap, 0)
    this.leave(subscription)
    this.ask(subscription)
  }

  private heard(message: Message): void {
    const { channel, li = 0 } = message
    this.saw(li)
    if (channel === 'reverted')
      for (const each of this.subscriptions.values())
        each.restart({ reason: 'reverted', skipped: 0 }, message.li ?? 0)
    const key = keyOfFrame(message)
    if (key !== null) this.subscriptions.get(key)?.take(message)
    else if (channel !== undefined)
      for (const each of this.subscriptions.values())
        if (each.source === channel) each.take(message)
  }
}

const notReady = ({ status, message }: ApiRefusal) => (status === 503 ? message : null)
