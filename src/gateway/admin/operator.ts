// The process around the exchange, as the admin plane uses it. Implemented by main.ts.

import type { Command } from '../../core/index.ts'
import type { Readiness } from '../http/readiness.ts'

export type PushedPrice = Readonly<{
  market: number
  /** Millionths of a tick. */
  price: number
  /** Time of the price by the clock of the source; `null` if the source gave none. */
  observedAtMs: number | null
}>

/** A price that was refused by the gateway. */
export type RefusedPrice = Readonly<{
  symbol: string
  /** `null` if no such market is listed. */
  market: number | null
  reason: string
}>

/** Status of a price source. */
export type SourceStatus = Readonly<{
  name: string
  /** `push`, or the configured kind. */
  kind: string
  state: 'push' | 'connecting' | 'connected' | 'waiting' | 'closed'
  weight: number
  /** Time since the last message, and since the last accepted price; `null` if there was none. */
  messageAgeMs: number | null
  priceAgeMs: number | null
  messages: number
  accepted: number
  refused: number
  garbage: number
  thinned: number
  clockOff: number
  reconnects: number
  fault: string | null
  /** Errors that the source reported on its current connection, with the affected markets. For a
   *  token: markets whose prices were refused and of which no price has been accepted since. */
  refusals: readonly Readonly<{ markets: readonly string[]; reason: string }>[]
  /** Configured markets that the exchange has not listed. */
  unlisted: readonly string[]
}>

/** The prices of a market by source, in millionths of a tick. */
export type PricesOfMarket = Readonly<{
  market: number
  /** The combined price; `null` if there is none. */
  price: number | null
  minSources: number
  /** Median latency of the last minute; `null` if unknown. */
  latencyMs: number | null
  /** Difference between the highest and lowest counted prices, relative to the lowest; `null` if
   *  fewer than two count. */
  apart: number | null
  words: readonly Readonly<{
    source: string
    weight: number
    price: number
    /** Time since the price was received, and since it was observed. */
    ageMs: number
    observedAgeMs: number
    /** Whether the source gave the time of the price. */
    isTimed: boolean
    isFresh: boolean
  }>[]
}>

/** The prices of a configured market that is not listed. */
export type UnlistedPrices = Readonly<{
  symbol: string
  words: readonly Readonly<{ source: string; price: string; ageMs: number }>[]
}>

export type PricesBySource = Readonly<{
  sources: readonly SourceStatus[]
  markets: readonly PricesOfMarket[]
  unlisted: readonly UnlistedPrices[]
}>

/** An action of an operator as stored in the journal, and its outcome. */
export type OperatorAction = Readonly<{
  seq: number
  atMs: number
  who: string
  why: string
  what: string
  /** The command as JSON text. */
  command: string
  /** Name of the rejection; `null` if the action was executed. */
  rejection: string | null
}>

/** Status of the process that answers. */
export type ProcessStatus = Readiness &
  Readonly<{
    requestsUnderWay: number
    requestsWaiting: number
    /** Commands that have not been submitted to the journal yet. */
    commandsWaiting: number
    /** Sequence number that the history store has read. */
    historySeq: number
    diskFree: number
  }>

/** Submits a command that stores the delivery position of a webhook. */
export type KeepPlace = (command: Command) => Promise<unknown>

/** Delivery status of a receiver of payment messages. */
export type DeliveryStatus = Readonly<{
  /** Sequence number of the last delivered entry. */
  seq: number
  delivered: number
  failed: number
  failingSince: number | null
  /** Time of the oldest undelivered message; `null` if there is none. */
  waitingSince: number | null
  fault: string | null
  /** Number of messages given up since the start. */
  abandoned: number
  givenUp: readonly Readonly<{ id: string; type: string; at: number; fault: string }>[]
}>

/** Status of a webhook. */
export type WebhookStatus = DeliveryStatus &
  Readonly<{ name: string; host: string; kinds: readonly string[] }>

/** Status of the treasury. */
export type TreasuryStatus = Readonly<{
  kind: 'files' | 'http'
  /** Folder or host of the treasury. */
  where: string
  /** Delivery of payment orders. */
  orders: DeliveryStatus
  /** Reports received since the start: new ones, and ones that were already known. */
  applied: number
  known: number
  refusedCount: number
  refused: readonly Readonly<{ name: string; at: string; says: string; atMs: number }>[]
  /** Why no reports are received; `null` if there is no fault. */
  fault: string | null
  failingSince: number | null
}>

export type Operator = Readonly<{
  /** `null` if no treasury is configured, or another node is the leader. */
  treasury(): TreasuryStatus | null
  webhooks(): readonly WebhookStatus[]
  /** Delivers again from this entry on; `keep` stores the new position. The webhook must exist. */
  redeliver(webhook: string, fromSeq: number, keep: KeepPlace): Promise<void>
  /** Makes a proof of reserves as of the newest entry. */
  prove(): Promise<void>
  /** Submits prices of one source; returns the refused ones with reasons. */
  pushPrices(
    source: string,
    prices: readonly PushedPrice[],
    refused: readonly RefusedPrice[],
  ): readonly string[] | Promise<readonly string[]>
  /** The status of all sources, and their prices. */
  prices(): PricesBySource | Promise<PricesBySource>
  /** The reason for which an operator allowed a market more leverage than its price sources
   *  permit; `null` if there is no override. */
  leverageOverride(symbol: string): string | null
  status(): ProcessStatus
  /** Newest first. */
  actions(limit: number, beforeSeq: number | null): Promise<readonly OperatorAction[]>
  /** Copies everything that a restore needs to a new folder, and returns its name. */
  backup(): Promise<Readonly<{ folder: string; seq: number }>>
  /** Stops accepting orders. Cancels are served until the process exits. */
  drain(): void
  /** Derives an address without a private key from a label. The same label gives the same
   *  address. */
  ownerlessAddress(label: string): string
  hashes(): Promise<Readonly<{ seq: number; state: string; trading: string }>>
}>
