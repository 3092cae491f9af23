// What the admin plane asks of the process around the exchange (main.ts brings it).

import type { Command } from '../../core/index.ts'
import type { Readiness } from '../http/readiness.ts'

export type PushedPrice = Readonly<{
  market: number
  /** Millionths of a tick. */
  price: number
  /** Wall time of the source at which it had this price; null: not given. */
  observedAtMs: number | null
}>

/** A price that was refused before the process saw it. */
export type RefusedPrice = Readonly<{
  symbol: string
  /** Null: no such market is listed. */
  market: number | null
  reason: string
}>

/** A source of prices and how it stands. */
export type SourceStatus = Readonly<{
  name: string
  /** `push`, or the kind that is configured. */
  kind: string
  state: 'push' | 'connecting' | 'connected' | 'waiting' | 'closed'
  weight: number
  /** Since anything came, and since a price was taken; null: never. */
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
  /** What the source refused on its newest connection, and the markets that the reason names. Of a
   *  token: prices of markets that were refused, and of which none was taken since. */
  refusals: readonly Readonly<{ markets: readonly string[]; reason: string }>[]
  /** Markets that it was configured for and the exchange does not have. */
  unlisted: readonly string[]
}>

/** What sources say of a market, in millionths of a tick. */
export type PricesOfMarket = Readonly<{
  market: number
  /** What that makes; null: no price. */
  price: number | null
  minSources: number
  /** Median of the last minute; null: not known yet. */
  latencyMs: number | null
  /** Distance of the highest from the lowest price that counts, as a part of the lowest; null:
   *  fewer than two count. */
  apart: number | null
  words: readonly Readonly<{
    source: string
    weight: number
    price: number
    /** Since its receipt, and since it was observed. */
    ageMs: number
    observedAgeMs: number
    /** Whether the source gave the time of the price. */
    isTimed: boolean
    isFresh: boolean
  }>[]
}>

/** What sources say of a market that is configured and not listed. */
export type UnlistedPrices = Readonly<{
  symbol: string
  words: readonly Readonly<{ source: string; price: string; ageMs: number }>[]
}>

export type PricesBySource = Readonly<{
  sources: readonly SourceStatus[]
  markets: readonly PricesOfMarket[]
  unlisted: readonly UnlistedPrices[]
}>

/** An action of an operator, as the journal has it, and its outcome. */
export type OperatorAction = Readonly<{
  seq: number
  atMs: number
  who: string
  why: string
  what: string
  /** The command as JSON text. */
  command: string
  /** The name of the rejection; null: it was done. */
  rejection: string | null
}>

/** How the process stands that answers. */
export type ProcessStatus = Readiness &
  Readonly<{
    requestsUnderWay: number
    requestsWaiting: number
    /** Not yet on their way to the disk. */
    commandsWaiting: number
    /** Place in history that the history store has read. */
    historySeq: number
    diskFree: number
  }>

/** Submits what moves the place of a webhook. */
export type KeepPlace = (command: Command) => Promise<unknown>

/** Delivery status of a receiver of payment messages. */
export type DeliveryStatus = Readonly<{
  /** The last entry that was delivered. */
  seq: number
  delivered: number
  failed: number
  failingSince: number | null
  /** Time of the oldest undelivered message; `null` if there is none. */
  waitingSince: number | null
  fault: string | null
  /** Given up since the start. */
  abandoned: number
  givenUp: readonly Readonly<{ id: string; type: string; at: number; fault: string }>[]
}>

/** A webhook and how it stands. */
export type WebhookStatus = DeliveryStatus &
  Readonly<{ name: string; host: string; kinds: readonly string[] }>

/** The treasury and how it stands. */
export type TreasuryStatus = Readonly<{
  kind: 'files' | 'http'
  /** A folder or a host. */
  where: string
  /** Delivery of payment orders. */
  orders: DeliveryStatus
  /** Reports since the start: those that changed something, and those that were known. */
  applied: number
  known: number
  refusedCount: number
  refused: readonly Readonly<{ name: string; at: string; says: string; atMs: number }>[]
  /** Why no reports come; null: they do, if there are any. */
  fault: string | null
  failingSince: number | null
}>

export type Operator = Readonly<{
  /** Null: none is configured, or another node leads. */
  treasury(): TreasuryStatus | null
  webhooks(): readonly WebhookStatus[]
  /** Delivers again from this entry on; `keep` stores the new position. The webhook exists. */
  redeliver(webhook: string, fromSeq: number, keep: KeepPlace): Promise<void>
  /** Makes a proof of reserves of the newest entry. */
  prove(): Promise<void>
  /** Prices of one source; says which were not taken and why. */
  pushPrices(
    source: string,
    prices: readonly PushedPrice[],
    refused: readonly RefusedPrice[],
  ): readonly string[] | Promise<readonly string[]>
  /** How sources stand, and what they say. */
  prices(): PricesBySource | Promise<PricesBySource>
  /** Why a market may have more leverage than its prices allow; null: it may not. */
  leverageOverride(symbol: string): string | null
  status(): ProcessStatus
  /** Newest first. */
  actions(limit: number, beforeSeq: number | null): Promise<readonly OperatorAction[]>
  /** Copies what a restore needs into a new folder and names it. */
  backup(): Promise<Readonly<{ folder: string; seq: number }>>
  /** Stops taking orders; cancels are served until the process ends. */
  drain(): void
  /** An address without a private key; the same for the same label. */
  ownerlessAddress(label: string): string
  hashes(): Promise<Readonly<{ seq: number; state: string; trading: string }>>
}>
