// The parameters of a gateway at its start, and its link to the leader.

import type { Config } from '../../config.ts'
import type { WsLimits } from '../../gateway/ws/limits.ts'

/** The descriptor at which a gateway finds its end of the link. */
export const linkFd = 4

export type Begin = Readonly<{
  config: Config
  needsCompatPort: boolean
  wsLimits: Partial<WsLimits>
  /** Which of the gateways, from 1. */
  place: number
  /** How the core knows its connections; another one after every start. */
  owner: string
}>

/** A start that failed, with what the system said. */
export type FailedStart = Readonly<{
  message: string
  code: string | undefined
  port: number | undefined
}>
