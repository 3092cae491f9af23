// Start here. `apply` is the whole exchange: it takes a command with its position in history,
// changes the state and appends events. No clock, no randomness, no input or output: the same
// history always gives the same state, on every machine.

import { broken } from '../units/invariant.ts'
import { accountExists } from './admission/admit.ts'
import { waitingMove } from './approvals/credits.ts'
import type { Command, Sequenced } from './commands/commands.ts'
import { decide } from './decide.ts'
import { settleAccount } from './due/account-reactions.ts'
import { runDueWork } from './due/due-work.ts'
import { hasReactions, runReactions } from './due/reactions.ts'
import type { EventLog } from './events/event-log.ts'
import { rejected } from './events/rejected.ts'
import { settleFunding } from './funding/settle-funding.ts'
import { updateNext } from './solvency/update-index.ts'
import type { State } from './state/state.ts'
import { setTime } from './timing/schedule.ts'
import * as touched from './touched-checks.ts'

// A module constant is compiled into the machine code (docs/performance.md).
const checkedMask = touched.checkedEvery - 1

export { EventLog } from './events/event-log.ts'
export { createState, type State } from './state/state.ts'

/** Applies one command; its events are appended to the log (CORE-2). */
export function apply(state: State, sequenced: Sequenced, log: EventLog): void {
  const { seq, atMs, stampMs = 0, command } = sequenced
  if (seq !== state.seq + 1) broken('a command is not the next one, its seq is', seq)
  if (!(atMs >= state.atMs)) broken('a command is older than the last one, its time is', atMs)
  const first = log.count
  state.seq = seq
  state.commandAtMs = atMs
  if (stampMs > state.stampMs) state.stampMs = stampMs
  state.unitsUsed = 0
  state.ownRiskUnitsLeft = state.rules.limits.riskMatchUnits
  state.releaseRoom = state.rules.limits.releasesPerCommand
  // Most commands arrive in the same millisecond as the previous one, with no work left over.
  if (atMs !== state.atMs || atMs >= state.nextDueAt || hasReactions(state)) {
    // In a sandbox the source of prices stopped together with the engine.
    if (command.type === 'EngineStarted' && command.pricesStand === true)
      return startUnchanged(state, log, command)
    catchUp(state, log, atMs, command)
  }
  log.ownFirst = log.end
  const refusal = decide(state, log, command)
  if (refusal !== null) rejected(log, refusal)
  log.ownEnd = log.end
  if (hasReactions(state)) runReactions(state, log)
  if (state.dirtyCount !== 0) updateNext(state)
  if ((seq & checkedMask) === 0) touched.checkTouched(state, command)
  state.counters.events += log.count - first
}

/** Records a start that changes nothing: work that is due or left over waits for the next command
 *  (CORE-2). */
function startUnchanged(state: State, log: EventLog, command: Command): void {
  const first = log.count
  log.ownFirst = log.end
  decide(state, log, command)
  log.ownEnd = log.end
  state.counters.events += log.count - first
}

/** Runs due work, advances time, and runs work left over by earlier commands (CORE-2, steps 1 to
 *  3). */
function catchUp(state: State, log: EventLog, atMs: number, command: Command): void {
  if (atMs >= state.nextDueAt) runDueWork(state, log, atMs)
  setTime(state, atMs)
  // Without reactions step 3 has no effect either. The queues with the account's triggers and turns
  // are empty, and the account can owe funding only to a pool that is still open.
  if (!hasReactions(state)) return
  runReactions(state, log)
  catchUpAccount(state, log, command)
}

/** Catches up the account that a command names: its own queued triggers and liquidation turns, then
 *  its funding (CORE-2, step 3). */
function catchUpAccount(state: State, log: EventLog, command: Command): void {
  if (!('account' in command)) {
    const move = command.type === 'ApproveCredit' ? waitingMove(state, command.credit) : command
    if (move?.type === 'MoveReserve')
      for (const account of [move.from, move.to])
        if (accountExists(state, account)) settleFunding(state, log, account)
    return
  }
  if (!accountExists(state, command.account)) return
  settleAccount(state, log, command.account)
  if (command.type === 'Transfer' && accountExists(state, command.to))
    settleFunding(state, log, command.to)
}
