// The exchange as the operations use it: commands, the state, the history, and whether orders are
// accepted. Interfaces only; main.ts and embed/ implement them.

import type { Command, ExchangeView } from '../core/index.ts'
import type { Explanation, Job } from '../projections/explain/explain.ts'
import type { AllHistory } from '../projections/history/history-of.ts'
import type { MarketStatistics } from '../projections/market-statistics.ts'
import type { Reserves } from '../projections/reserves/published-reserves.ts'
import type {
  Checkpoint,
  Checkpoints,
  FrameProof,
  Receipt,
} from '../protocol/schemas/proofs/receipts.ts'
import type { By } from '../sequencer/entry.ts'
import type { Outcome } from '../sequencer/outcome.ts'
import type { Forks } from './forks.ts'
import type { Lab } from './lab/lab.ts'
import type { OpenConnections } from './open-connections.ts'
import type { Sandbox } from './sandbox.ts'

/** Why orders are not accepted; `null` if they are. Cancels are always accepted. */
export type Closed =
  | 'starting'
  | 'draining'
  | 'disk_full'
  | 'overloaded'
  | 'halted'
  | 'no_leader'
  | null

/** Current prices of sources, in millionths of a tick, that differ by more than 1 %. */
export type DisputedPrice = Readonly<{
  market: number
  lowest: number
  highest: number
  /** Whether there is a combined price nonetheless. */
  hasPrice: boolean
}>

export type NewApiKey = Readonly<{ key: string; prefix: string; digest: string }>

/** Creates API keys and shows them again. Each account has one key, with prefix and secret. */
export type ApiKeyMaker = Readonly<{
  /** `address`: address of the account. */
  make(address: string): NewApiKey
  /** The complete key; `null` if it was not derived from this secret. */
  whole(address: string, kept: Readonly<{ prefix: string; digest: string }>): string | null
}>

/** Which venue a signed request may name. */
export type VenuePolicy = Readonly<{
  /** Id of this exchange. */
  id: string
  /** Whether requests that name no venue are rejected. */
  required: boolean
}>

export type Exchange = Readonly<{
  /** Resolves when the command is durable and applied. `mayPass`: whether the command, if it is a
   *  cancel, may be executed before commands of other callers. This requires that the caller has
   *  no other command in progress. */
  submit(command: Command, by?: By, mayPass?: boolean): Promise<Outcome>
  /** Contains only durable changes. */
  view: ExchangeView
  /** Sequence number of the newest applied entry, which replies have as `li` and
   *  `last_order_id`. */
  seq(): number
  /** Waits briefly for an entry that another process has reported. Resolves to whether it was
   *  applied. */
  reached(seq: number): Promise<boolean>
  history: AllHistory
  /** Replays a part of the journal for an explanation, without delaying trading. Throws
   *  `ExplanationsBusy` if too many wait. */
  explain(job: Job): Promise<Explanation>
  statistics: MarketStatistics
  closed(): Closed
  /** Milliseconds of the machine's clock, for signatures, keys and limits. */
  wallNow(): number
  settings: ExchangeSettings
  keyUse: KeyUse
  apiKeys: ApiKeyMaker
  reserves: Reserves
  /** `null` if the exchange has no journal on disk. */
  receipts: Receipts | null
  disputedPrices(): readonly DisputedPrice[]
  /** `null` unless in sandbox mode. */
  sandbox: Sandbox | null
  /** Open connections of the exchange; `null` if it has several processes. */
  connections: OpenConnections | null
  /** Latencies; `null` unless in sandbox mode, in one process. */
  lab: Lab | null
  /** `null` unless in sandbox mode, in one process. */
  forks: Forks | null
  /** `null` unless engine time moves only by request. */
  manual: ManualTime | null
}>

/** What the exchange signs about its history. */
export type Receipts = Readonly<{
  newest(limit: number): Promise<Checkpoints>
  /** The frame with this entry, in a checkpoint; `null` if none covers it. */
  frameOf(seq: number): Promise<FrameProof | null>
  /** The receipt of the command with this number, and its account; `null` if there is none. */
  receiptOf(seq: number): Promise<Readonly<{ account: number | null; receipt: Receipt }> | null>
  /** Adds a listener for new checkpoints; returns the function that removes it. */
  onCheckpoint(listener: (checkpoint: Checkpoint) => void): () => void
}>

export type ManualTime = Readonly<{
  /** Engine time, which a signed request may have instead of wall time. */
  now(): number
  /** Resolves when no reactions of earlier commands are left. Replies wait for it, so that the next
   *  request finds the same state in every run. */
  workDone(): Promise<void>
}>

export type ExchangeSettings = Readonly<{
  mode: 'sandbox' | 'venue'
  /** Whether it is a copy of another exchange, in which any account may be acted for. */
  fork: boolean
  /** Which data of an account is visible to callers other than its owner. */
  reads: 'public' | 'resting' | 'owner'
  untimedTexts: boolean
  creditsPerIp: number
  /** The id of the venue, and whether signed requests must name it. */
  venue: VenuePolicy
  /** Accounts from which an operator may transfer money to reserves; `null` for any. */
  operatorAccounts: readonly string[] | null
}>

/** When API keys were last used, by prefix. Not part of history, and lost in a restart. */
export type KeyUse = Readonly<{
  lastUsedAt(prefix: string): number | null
  used(prefix: string, atMs: number): void
}>
