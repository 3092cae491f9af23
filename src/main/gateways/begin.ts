// The start parameters of a gateway, and its link to the leader.

import type { Config } from '../../config.ts'
import type { WsLimits } from '../../gateway/ws/limits.ts'

/** File descriptor of the gateway's end of the link. */
export const linkFd = 4

export type Begin = Readonly<{
  config: Config
  needsCompatPort: boolean
  wsLimits: Partial<WsLimits>
  /** Number of the gateway, from 1. */
  place: number
  /** Prefix of its connections in the core; different after every start. */
  owner: string
}>

/** A failed start, with the error of the system. */
export type FailedStart = Readonly<{
  message: string
  code: string | undefined
  port: number | undefined
}>
