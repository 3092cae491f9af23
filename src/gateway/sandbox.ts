// The interface of the sandbox's routes (implemented by sources/sandbox.ts).

import type { ScenarioName } from '../protocol/words.ts'

export type ClockReading = Readonly<{
  engineNow: number
  wallNow: number
  frozen: boolean
  offsetMs: number
}>

export type SavedSnapshot = Readonly<{ id: string; seq: number; atMs: number; createdAt: number }>

type Awaitable<T> = T | Promise<T>

/** May be served by another process. Every effect is durable when its promise resolves. */
export type Sandbox = Readonly<{
  /** Credits test money; creates the account if it is new. Amount in micro-dollars. */
  fund(address: string, amount: number): Promise<Readonly<{ balance: number }>>
  clock(): Awaitable<ClockReading>
  advance(ms: number): Promise<ClockReading>
  freeze(): Promise<ClockReading>
  resume(): Promise<ClockReading>
  /** Prices in millionths of a tick; the last of a path holds until set again or resumed. `plain`:
   *  a single price, whose ticks are not jumps. */
  setOracle(market: number, path: readonly number[], plain?: boolean): Promise<void>
  resumeOracle(market: number): Promise<void>
  snapshot(): Promise<SavedSnapshot>
  snapshots(): Awaitable<readonly SavedSnapshot[]>
  /** `false` if there is no such snapshot. */
  revert(id: string): Promise<boolean>
  setBots(running: boolean): Promise<void>
  botsRunning(): Awaitable<boolean>
  playScenario(name: ScenarioName, market: number): Promise<void>
}>
