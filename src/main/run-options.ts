// What it takes to run an exchange, and what there is when it runs.

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
  /** Nothing more can be accepted: the process must end. */
  onFatal: (error: unknown) => void
  /** In a cluster: called when an operator requests that this node release the lease and exit. */
  onStepDown?: () => void
  /** Free space on the disk of a folder (default: queries the system). */
  freeBytes?: FreeBytes
  /** Bounds of the websocket other than the usual ones. */
  wsLimits?: Partial<WsLimits>
  /** Clock of webhooks (default: the system's). */
  webhookTime?: DelivererTime
  /** Schedules all requests (default: a new one). */
  intake?: Intake
}>

export type RunningExchange = PublicPorts &
  Readonly<{
    exchange: Exchange
    adminPort: number
    /** Newest entry that recovery found; 0: a new exchange. */
    recoveredSeq: number
    /** Takes no more orders; cancels are served until `close`. */
    drain(): void
    /** Completes accepted requests, writes a snapshot, and ends every thread; reports what it waits
     *  for. */
    close(onWait?: (waitsFor: string) => void): Promise<void>
  }>
