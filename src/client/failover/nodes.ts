// Sends requests to one exchange at several addresses. If an address does not answer, the next one
// is tried, within a limit of time and attempts. A reply of the exchange is final. A signed request
// is resent unchanged, because the exchange executes it only once. If it was already executed, its
// outcome is looked up.

import { type Route, type RouteName, routes } from '../../protocol/routes.ts'
import { ApiRefusal, OutcomeUnknown } from '../errors.ts'
import {
  type Answer,
  type CallOptions,
  type Fields,
  pause,
  type Requests,
  replyIn,
  sendOnce,
  type Table,
  tableFields,
  tableIn,
} from '../requests.ts'
import type { Addresses } from './addresses.ts'
import { KnownOrders } from './known-orders.ts'
import type { Lookup } from './lookup.ts'
import { lostRefusal, outcomeOf } from './outcome.ts'
import type { Place } from './place.ts'
import { type Failure, failureOf, type Kind, kindOf, leavesOpen } from './repeatable.ts'

export type NodesParts = Readonly<{
  requests: Omit<Requests, 'url' | 'readRetries'>
  addresses: Addresses
  place: Place
  /** Time before another address is tried. */
  tryMs: number
  triesMax: number
}>

/** Pause between two rounds: the first one, and the maximum. */
const pauseMs = { first: 50, most: 400 }

/** The state of a request while its addresses are tried. */
type Asking = Readonly<{ route: Route; fields: Fields; kind: Kind; until: number }> &
  CallOptions & {
    tries: number
    /** An earlier attempt may have been executed. */
    mayBeDone: boolean
  }

export class Nodes {
  // A private field, so that logging the object does not show an API key in the headers.
  readonly #parts: NodesParts
  private readonly known = new KnownOrders()

  constructor(parts: NodesParts) {
    this.#parts = parts
  }

  /** `mayBeDone`: the same request was sent before, and its reply is not known. */
  async ask(
    route: Route,
    fields: Fields,
    { mayBeDone = false, signal }: CallOptions & Readonly<{ mayBeDone?: boolean }> = {},
  ): Promise<unknown> {
    const until = performance.now() + this.#parts.requests.timeoutMs
    const asking = { route, fields, kind: kindOf(route), until, tries: 0, mayBeDone, signal }
    const reply = await this.settled(asking)
    if (asking.kind === 'signed') this.known.add(route.name, fields, reply)
    return reply
  }

  async table(route: Route, fields: Fields, signal?: AbortSignal): Promise<Table> {
    const until = performance.now() + this.#parts.requests.timeoutMs
    const asking = { route, fields: tableFields(fields), kind: 'read' as const, until, signal }
    return this.answered({ ...asking, tries: 0, mayBeDone: false }, tableIn)
  }

  private async settled(asking: Asking): Promise<unknown> {
    try {
      return await this.answered(asking, (answer) => replyIn(answer, asking.route))
    } catch (error) {
      const isOpen = asking.kind === 'signed' && asking.mayBeDone && error instanceof ApiRefusal
      if (!isOpen || (error.reason !== 'REPLAYED' && !leavesOpen(error))) throw error
      return this.outcome(asking, error)
    }
  }

  /** Returns the reply of the first address that answers. */
  private async answered<T>(asking: Asking, read: (answer: Answer) => T): Promise<T> {
    for (;;) {
      try {
        return await this.tryOnce(asking, read)
      } catch (error) {
        const waitMs = this.waitAfter(asking, error)
        if (waitMs === null) throw endOf(asking, error)
        await pause(waitMs, asking.signal)
      }
    }
  }

  private async tryOnce<T>(asking: Asking, read: (answer: Answer) => T): Promise<T> {
    const { requests, addresses, place, tryMs } = this.#parts
    const { route, fields, kind, until, signal } = asking
    const url = addresses.current
    const timeoutMs = Math.max(1, Math.min(tryMs, Math.ceil(until - performance.now())))
    const headers = kind === 'read' ? { ...requests.headers, ...place.headers() } : requests.headers
    asking.tries += 1
    try {
      const answer = await sendOnce({ ...requests, url, timeoutMs, headers, signal }, route, fields)
      place.sawIn(answer.headers)
      const made = read(answer)
      addresses.answered(url)
      return made
    } catch (error) {
      const failure = failureOf(error)
      if (failure === null) addresses.answered(url)
      else this.failed(asking, url, failure)
      throw error
    }
  }

  private failed(asking: Asking, url: string, { mayBeDone }: Failure): void {
    this.#parts.addresses.failed(url)
    if (mayBeDone) asking.mayBeDone = true
  }

  /** Delay before the next attempt; `null` if there is no further attempt. */
  private waitAfter({ kind, mayBeDone, tries, until }: Asking, error: unknown): number | null {
    const { addresses, triesMax } = this.#parts
    const left = until - performance.now()
    if (tries >= triesMax || left <= 0 || (kind === 'once' && mayBeDone)) return null
    const round = tries / addresses.all.length
    const most = Math.min(pauseMs.most, pauseMs.first * 2 ** Math.min(round - 1, 10))
    // Half of the delay is random, so that clients that were disconnected together do not reconnect
    // together.
    const pause = Number.isInteger(round) ? most * (0.5 + Math.random() / 2) : 0
    if (failureOf(error) !== null) return pause < left ? pause : null
    const isLimited = error instanceof ApiRefusal && error.reason === 'RATE_LIMITED'
    if (!isLimited || kind !== 'signed' || !mayBeDone) return null
    const seconds = error.retryAfter ?? 1
    return seconds * 1_000 < left ? seconds * 1_000 : null
  }

  private async outcome(asking: Asking, refusal: ApiRefusal): Promise<unknown> {
    const { route, fields, until } = asking
    const { name: operation } = route
    const isProcessed = refusal.reason === 'REPLAYED'
    const unknown = (cause: unknown) =>
      new OutcomeUnknown(unknownText(operation, isProcessed), {
        operation,
        body: fields,
        judged: isProcessed,
        cause,
      })
    const found = await outcomeOf(this.lookup(until), operation, fields).catch((error: unknown) => {
      throw unknown(error)
    })
    if (typeof found === 'object') return found.reply
    if (found === 'unknown' || !isProcessed) throw unknown(refusal)
    throw new ApiRefusal(lostRefusal, refusal)
  }

  private lookup(until: number): Lookup {
    const read = (name: RouteName, fields: Fields) => {
      const asking = { route: routes[name], fields, kind: 'read' as const, until, tries: 0 }
      return this.settled({ ...asking, mayBeDone: false })
    }
    return { read: read as Lookup['read'], known: this.known }
  }
}

/** The error to throw after the last attempt, or after a refusal. */
function endOf({ route, fields, kind, mayBeDone }: Asking, error: unknown): unknown {
  if (failureOf(error) === null || kind !== 'signed' || !mayBeDone) return error
  const { name: operation } = route
  const text = `${unknownText(operation, false)} (${(error as Error).message})`
  return new OutcomeUnknown(text, { operation, body: fields, judged: false, cause: error })
}

function unknownText(operation: string, isProcessed: boolean): string {
  return isProcessed
    ? `${operation} was processed once, but its reply was lost; query the current state`
    : `the outcome of ${operation} is unknown; sendAgain finds out, and executes it at most once`
}
