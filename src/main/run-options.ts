// What it takes to run an exchange, and what there is when it runs.

import type { Logger } from 'pino'
import type { AdminToken, Config } from '../config.ts'
import type { Exchange } from '../gateway/exchange.ts'
import type { Intake } from '../gateway/intake/intake.ts'
import type { WsLimits } from '../gateway/ws/limits.ts'
import type { FreeBytes } from '../journal/disk-space.ts'
import type { PublicPorts } from './front/front.ts'
import type { TellerTime } from './webhooks/teller.ts'

export type RunOptions = Readonly<{
  config: Config
  tokens: readonly AdminToken[]
  log: Logger
  /** Nothing more can be accepted: the process must end. */
  onFatal: (error: unknown) => void
  /** In a cluster: somebody wants this node to give the lead back, and so to end. */
  onStepDown?: () => void
  /** How much room the disk of a folder has; the system is asked unless given. */
  freeBytes?: FreeBytes
  /** Bounds of the websocket other than the usual ones. */
  wsLimits?: Partial<WsLimits>
  /** What webhooks know of time; the system's unless given. */
  webhookTime?: TellerTime
  /** What everything that is asked passes; made unless given. */
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
    /** Finishes what was accepted, leaves a snapshot, and ends every thread; tells what it waits
     *  for. */
    close(tell?: (waitsFor: string) => void): Promise<void>
  }>
