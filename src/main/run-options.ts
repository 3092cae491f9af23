// Options of a running exchange, and its interface.

import type { Logger } from 'pino'
import type { AdminToken, Config } from '../config.ts'
import type { Exchange } from '../gateway/exchange.ts'
import type { Intake } from '../gateway/intake/intake.ts'
import type { WsLimits } from '../gateway/ws/limits.ts'
import type { FreeBytes } from '../journal/disk-space.ts'
import type { PublicPorts } from './front/front.ts'
import type { DelivererTime } from './webhooks/deliverer.ts'

export type RunOptions = Readonly<{
  config: Config
  tokens: readonly AdminToken[]
  log: Logger
  /** Called when no more commands can be accepted, so that the process must exit. */
  onFatal: (error: unknown) => void
  /** In a cluster: called when an operator requests that this node release the lease and exit. */
  onStepDown?: () => void
  /** Free space on the disk of a folder (default: queries the system). */
  freeBytes?: FreeBytes
  /** Overrides of the websocket limits. */
  wsLimits?: Partial<WsLimits>
  /** Clock of webhooks (default: the system's). */
  webhookTime?: DelivererTime
  /** Interval of signed checkpoints (default: ten seconds). */
  checkpointMs?: number
  /** Schedules all requests (default: a new one). */
  intake?: Intake
}>

export type RunningExchange = PublicPorts &
  Readonly<{
    exchange: Exchange
    adminPort: number
    /** Newest journal entry found by recovery; 0 for a new exchange. */
    recoveredSeq: number
    /** Stops accepting orders. Cancels are served until `close`. */
    drain(): void
    /** Completes accepted requests, writes a snapshot, and ends every thread. `onWait` is called
     *  with the name of the component that it waits for. */
    close(onWait?: (waitsFor: string) => void): Promise<void>
  }>
