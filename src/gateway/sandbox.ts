// The interface of the sandbox's routes (implemented by sources/sandbox.ts).

import type { ScenarioName } from '../protocol/words.ts'

export type ClockReading = Readonly<{
  engineNow: number
  wallNow: number
  frozen: boolean
  offsetMs: number
  /** Whether time moves only by `advance`. */
  manual: boolean
}>

export type SavedSnapshot = Readonly<{ id: string; seq: number; atMs: number; createdAt: number }>

/** `isIdle`: no command waits and no advance is in progress. `nextEventAt`: the next engine time at
 *  which something happens by itself. */
export type Progress = Readonly<{ isIdle: boolean; nextEventAt: number }>

type Awaitable<T> = T | Promise<T>

/** Another process may implement it. When a promise resolves, the effect is durable. */
export type Sandbox = Readonly<{
  /** Credits test money in micro-dollars. Creates the account if it is new. */
  fund(address: string, amount: number): Promise<Readonly<{ balance: number }>>
  clock(): Awaitable<ClockReading>
  advance(ms: number): Promise<ClockReading>
  freeze(): Promise<ClockReading>
  resume(): Promise<ClockReading>
  /** Sets prices in millionths of a tick. The last price of a path stays until prices are set
   *  again or resumed. `plain`: a single price, whose changes do not count as jumps. */
  setOracle(market: number, path: readonly number[], plain?: boolean): Promise<void>
  resumeOracle(market: number): Promise<void>
  snapshot(): Promise<SavedSnapshot>
  snapshots(): Awaitable<readonly SavedSnapshot[]>
  /** Returns `false` if the snapshot does not exist. */
  revert(id: string): Promise<boolean>
  setBots(running: boolean): Promise<void>
  botsRunning(): Awaitable<boolean>
  playScenario(name: ScenarioName, market: number): Promise<void>
  /** Stops the prices of a market for a while. */
  stallFeed(market: number, ms: number): Promise<void>
  /** Keeps the state of a new exchange, so that it can be reset. */
  keepStart(): Promise<void>
  /** Returns to the state that `keepStart` has kept; `false` if it has kept none. */
  reset(): Promise<boolean>
  progress(): Awaitable<Progress>
  /** Hashes of the state; `trading` covers books, positions and money only. */
  hashes(): Promise<Readonly<{ seq: number; state: string; trading: string }>>
}>
