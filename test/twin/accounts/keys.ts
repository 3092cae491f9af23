// Keys that may sign for an account, and their records (ACCT-4, ACCT-5, ACCT-9, CORE-6).

import type { AgentPolicy, AgentScope } from '../../../src/core/commands/commands.ts'

/** A policy, and what its account had at each moment in which the key was tested. */
export type Limit = { policy: AgentPolicy; moments: Moment[] }
export type Moment = { day: number; equity: bigint; broughtIn: bigint }

export type Agent = {
  address: string
  scopes: AgentScope[]
  ips: string[]
  filter: boolean
  confirmed: boolean
  limit: Limit | null
  /** Counts up over all bindings, for their order. */
  place: number
}
export type ApiKey = { prefix: string; digest: string; credits: number; bucket: number }
/** `signer` null: the account's own key. */
export type Text = { hash: string; expiresAtMs: number; signer: string | null }

/** A connection whose end cancels (TRIG-9). */
export type Armed = {
  connection: string
  agent: string | null
  ip: string | null
  keepProtective: boolean
}
