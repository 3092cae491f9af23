// What the rounds ask of every kind of client.

import type { Connection } from '../../support/running/connection.ts'
import type { Mark } from './action.ts'

export type Trader = Readonly<{
  name: string
  connect(port: number): void
  disconnect(): void
  /** Once, on a new exchange. */
  open(api: Connection): Promise<void>
  /** One more request; false: no reply came. */
  step(): Promise<boolean>
  /** The exchange went back to this snapshot. */
  reverted(mark: Mark): void
  /** Checks that the exchange has what this client knows, resolves doubtful requests, and returns
   *  what is wrong. With `all`, from its first request on. */
  verify(api: Connection, all: boolean): Promise<readonly string[]>
  /** How many requests it knows the outcome of. */
  counts(): Readonly<{ known: number; doubted: number }>
}>
