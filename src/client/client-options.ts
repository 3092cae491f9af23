// What a client is made with.

import type { Signer } from './key.ts'
import type { SocketMaker } from './platform/socket.ts'
import type { Fetch } from './requests.ts'
import type { StreamOptions } from './stream/stream-options.ts'
import type { VenueOptions } from './venues/venue-guard.ts'

/** What a client is made with. */
export type ClientOptions = VenueOptions &
  Readonly<{
    /** Where the exchange is, as `http://127.0.0.1:8080`; several addresses of it in a list, or in
     *  one text with commas: if one of them cannot answer, the next is tried. */
    url: string | readonly string[]
    /** The key of the account. */
    signer?: Signer | undefined
    /** A key that is bound to the account as its agent: it signs what an agent may sign. */
    agent?: Signer | undefined
    /** The account's address where its key is not here: to read it, or to sign by its agent. */
    account?: string | undefined
    /** Of a fork only: the account that requests act for, without a key or a signature. */
    actAs?: string | undefined
    /** An API key of the account, sent with every request and with the websocket. */
    apiKey?: string | undefined
    /** Of a sandbox that other machines can reach: its routes need it. */
    sandboxToken?: string | undefined
    /** Whether reads of the account are signed, so that the exchange shows the owner everything
     *  (default: on with a key or an agent that is kept here, off with a wallet, which would ask
     *  its user, and with an API key, which does the same). */
    signReads?: boolean | undefined
    /** Validity of a signature, in milliseconds (default: the exchange's 30 s). */
    expiryWindow?: number | undefined
    /** Maximum time to wait for an answer, in milliseconds, at all addresses together (default:
     *  15 s). */
    timeoutMs?: number | undefined
    /** With several addresses: time before the next one is tried (default: a fifth of
     *  `timeoutMs`). */
    tryMs?: number | undefined
    /** With several addresses: maximum number of attempts (default: 200). */
    triesMax?: number | undefined
    /** Number of retries of a read for which the exchange is not ready (default: 3). */
    readRetries?: number | undefined
    /** In place of the platform's own: the embedded exchange brings its own. */
    fetch?: Fetch | undefined
    /** In place of the platform's own websocket. */
    openSocket?: SocketMaker | undefined
    /** Milliseconds; signatures are valid by the machine's clock at the exchange. */
    now?: (() => number) | undefined
  }>

const streamOptionNames: Readonly<Record<keyof StreamOptions, true>> = {
  ...{ onHealth: true, onError: true, openSocket: true, timers: true },
  ...{ timeoutMs: true, pingMs: true, backoffMs: true },
}

const optionNames: Readonly<Record<keyof ClientOptions, true>> = {
  ...{ url: true, signer: true, agent: true, account: true, apiKey: true, sandboxToken: true },
  actAs: true,
  ...{ signReads: true, expiryWindow: true, timeoutMs: true, tryMs: true, triesMax: true },
  ...{ readRetries: true, fetch: true, openSocket: true, now: true },
  ...{ venue: true, venues: true, onVenueReplaced: true },
}

/** Throws for an option that there is not: a misspelt one would be ignored without a word. */
export function requireClientOptions(options: ClientOptions): void {
  requireKnown('Client', options, optionNames)
  if (options.actAs === undefined) return
  for (const name of ['signer', 'agent', 'account', 'apiKey', 'signReads'] as const)
    if (options[name] !== undefined)
      throw new TypeError(`actAs signs nothing and names the account: leave out ${name}`)
}

export function requireStreamOptions(options: StreamOptions): void {
  requireKnown('stream', options, streamOptionNames)
}

function requireKnown(whose: string, options: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  const names = Object.keys(known).join(', ')
  throw new TypeError(`${whose} has no option ${unknown}; it knows ${names}`)
}
