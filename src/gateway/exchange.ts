// What operations see of the exchange: a way to submit commands, the state, the history, and
// whether it takes orders now. Interfaces only; main.ts and embed/ bring the real parts.

import type { Command, ExchangeView } from '../core/index.ts'
import type { AllHistory } from '../projections/history/history.ts'
import type { MarketStatistics } from '../projections/market-statistics.ts'
import type { Reserves } from '../projections/reserves/published-reserves.ts'
import type { By } from '../sequencer/entry.ts'
import type { Outcome } from '../sequencer/outcome.ts'
import type { ApiKeyMaker } from './auth/api-keys.ts'
import type { VenuePolicy } from './auth/venue-check.ts'
import type { Sandbox } from './sandbox.ts'

/** Why orders are not taken now; null: they are. Cancels are served regardless. */
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
  /** Whether a price comes of them nonetheless. */
  hasPrice: boolean
}>

export type Exchange = Readonly<{
  /** Resolves when the command is durable and applied. `mayPass`: the caller has no other command
   *  in progress, so that a cancel may pass commands of others. */
  submit(command: Command, by?: By, mayPass?: boolean): Promise<Outcome>
  /** Everything in it is durable. */
  view: ExchangeView
  /** Place of the newest applied entry: `li` and `last_order_id`. */
  seq(): number
  /** Waits briefly for an entry that another process has reported; whether it was applied. */
  reached(seq: number): Promise<boolean>
  history: AllHistory
  statistics: MarketStatistics
  closed(): Closed
  /** Milliseconds of the machine's clock; signatures, keys and limits run on it. */
  wallNow(): number
  settings: ExchangeSettings
  keyUse: KeyUse
  apiKeys: ApiKeyMaker
  reserves: Reserves
  disputedPrices(): readonly DisputedPrice[]
  /** Only in sandbox mode. */
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
  /** Addresses from which an operator may move money to reserves; null: any. */
  operatorAccounts: readonly string[] | null
}>

/** When API keys were last seen, by prefix. Not history: forgotten by a restart. */
export type KeyUse = Readonly<{
  lastUsedAt(prefix: string): number | null
  used(prefix: string, atMs: number): void
}>
