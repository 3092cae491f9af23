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
  /** Prefix of the names of its connections in the core; unique for every start. */
  owner: string
}>

/** Report of a failed start, with the system error. */
export type FailedStart = Readonly<{
  message: string
  code: string | undefined
  port: number | undefined
}>
