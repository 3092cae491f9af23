// Connections that cancel orders when they end (TRIG-9). Arming is checked like an order. The edge
// reports the end of a connection, and the core then checks again whether the signer may still act.

import { accountRefusal, admissionRefusal, agentRefusal } from '../admission/admit.ts'
import { textRefusal } from '../admission/text-refusal.ts'
import type { ArmConnection, DisarmConnection, EndConnection } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { DISCONNECTED } from '../orders/order-life.ts'
import { cancelEverything } from '../orders/schedule-cancel.ts'
import type { Armed } from '../pools/account-pool.ts'
import type { State } from '../state/state.ts'

export function armConnection(
  state: State,
  log: EventLog,
  command: ArmConnection,
): Rejection | null {
  const refusal = admissionRefusal(state, log, command, 'trade') ?? armRefusal(state, command)
  if (refusal !== null) return refusal
  const { account, proof, connection, keepProtective } = command
  const record = state.accounts.records[account]!
  record.armed ??= new Map()
  const [agent, ip] = [proof?.agent ?? null, proof?.ip ?? null]
  record.armed.set(connection, { agent, ip, keepProtective })
  log.write({ type: 'ConnectionArmed', account, connection, keepProtective })
  return null
}

/** Each signer has a separate limit. Arming a connection again does not count twice. */
function armRefusal(state: State, { account, proof, connection }: ArmConnection): Rejection | null {
  const agent = proof?.agent ?? null
  let others = 0
  for (const [each, armed] of state.accounts.records[account]!.armed ?? [])
    if (armed.agent === agent && each !== connection) others += 1
  const most =
    agent === null ? state.rules.limits.armedPerAccount : state.rules.limits.armedPerAgent
  if (others >= most) return refuse('LIMIT_REACHED', most)
  return textRefusal(connection)
}

/** Removes and returns what this connection had armed for the account, or returns the rejection. */
function taken(
  state: State,
  { account, connection }: DisarmConnection | EndConnection,
): Armed | Rejection {
  const unknown = accountRefusal(state, account)
  if (unknown !== null) return unknown
  const { armed } = state.accounts.records[account]!
  const found = armed?.get(connection)
  if (found === undefined) return refuse('NOT_ARMED')
  armed!.delete(connection)
  return found
}

export function disarmConnection(
  state: State,
  log: EventLog,
  command: DisarmConnection,
): Rejection | null {
  const found = taken(state, command)
  if ('name' in found) return found
  const { account, connection } = command
  log.write({ type: 'ConnectionDisarmed', account, connection })
  return null
}

export function endConnection(
  state: State,
  log: EventLog,
  command: EndConnection,
): Rejection | null {
  const found = taken(state, command)
  if ('name' in found) return found
  const { account, connection } = command
  const cancels = agentRefusal(state, account, found, 'trade') === null
  log.write({ type: 'ConnectionEnded', account, connection, cancels })
  const { keepProtective } = found
  if (cancels) cancelEverything(state, log, { account, keepProtective, reason: DISCONNECTED })
  return null
}
