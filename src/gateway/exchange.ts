// The exchange as operations see it: commands, the state, the history, and whether it accepts
// orders now. Interfaces only; main.ts and embed/ provide the implementations.

import type { Command, ExchangeView } from '../core/index.ts'
import type { AllHistory } from '../projections/history/history.ts'
import type { MarketStatistics } from '../projections/market-statistics.ts'
import type { Reserves } from '../projections/reserves/published-reserves.ts'
import type { By } from '../sequencer/entry.ts'
import type { Outcome } from '../sequencer/outcome.ts'
import type { Sandbox } from './sandbox.ts'

/** Why orders are not accepted now; `null` if they are. Cancels are served regardless. */
export type Closed =
  | 'starting'
  | 'draining'
  | 'disk_full'
  | 'overloaded'
  | 'halted'
  | 'no_leader'
  | null

/** Prices of sources, in millionths of a tick, that count now and are more than 1 % apart. */
export type DisputedPrice = Readonly<{
  market: number
  lowest: number
  highest: number
  /** Whether there is a combined price nonetheless. */
  hasPrice: boolean
}>

export type NewApiKey = Readonly<{ key: string; prefix: string; digest: string }>

/** Creates keys, and shows them again: one key for each account, with prefix and secret. */
export type ApiKeyMaker = Readonly<{
  /** `address` is the account's. */
  make(address: string): NewApiKey
  /** `null` if it was not derived from this secret. */
  whole(address: string, kept: Readonly<{ prefix: string; digest: string }>): string | null
}>

/** Which venue a signed text may name. */
export type VenuePolicy = Readonly<{
  /** Id of this exchange. */
  id: string
  /** Whether texts that name no venue are rejected. */
  required: boolean
}>

export type Exchange = Readonly<{
  /** Resolves when the command is durable and applied. `mayPass`: the caller has no other command
   *  in progress, so that a cancel may pass commands of others. */
  submit(command: Command, by?: By, mayPass?: boolean): Promise<Outcome>
  /** Everything in it is durable. */
  view: ExchangeView
  /** Seq of the newest applied entry: `li` and `last_order_id`. */
  seq(): number
  /** Waits briefly for an entry that another process has reported; whether it was applied. */
  reached(seq: number): Promise<boolean>
  history: AllHistory
  statistics: MarketStatistics
  closed(): Closed
  /** Milliseconds of the machine's clock, which signatures, keys and limits use. */
  wallNow(): number
  settings: ExchangeSettings
  keyUse: KeyUse
  apiKeys: ApiKeyMaker
  reserves: Reserves
  disputedPrices(): readonly DisputedPrice[]
  /** In sandbox mode only. */
  sandbox: Sandbox | null
}>

export type ExchangeSettings = Readonly<{
  mode: 'sandbox' | 'venue'
  /** What others than the owner may read of an account. */
  reads: 'public' | 'resting' | 'owner'
  untimedTexts: boolean
  creditsPerIp: number
  /** Its id, and whether signed texts have to name it. */
  venue: VenuePolicy
  /** Addresses from which an operator may move money to reserves; `null` for any. */
  operatorAccounts: readonly string[] | null
}>

/** Last use of API keys, by prefix. Not part of history: lost in a restart. */
export type KeyUse = Readonly<{
  lastUsedAt(prefix: string): number | null
  used(prefix: string, atMs: number): void
}>
