// Puts another version of the rules into force (MARKET-3).

import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { forgetTiers } from '../margin/fee-tier.ts'
import { ruleBooks } from '../rules/versions.ts'
import { touch } from '../solvency/update-index.ts'
import type { State } from '../state/state.ts'

export function setRulesVersion(
  state: State,
  log: EventLog,
  { version }: CommandOf<'SetRulesVersion'>,
): Rejection | null {
  const rules = ruleBooks.get(version)
  if (rules === undefined || version <= state.rulesVersion)
    return refuse('INVALID_PARAMETER', Number.isSafeInteger(version) ? version : 0)
  state.rulesVersion = version
  state.rules = rules
  for (const market of state.markets) market?.setRules(rules)
  forgetTiers(state)
  // Liquidation triggers may have moved, and work may become due earlier.
  for (let account = 1; account <= state.accounts.count; account++) touch(state, account)
  state.nextDueAt = Math.min(state.nextDueAt, state.atMs)
  log.write({ type: 'RulesVersionSet', version })
  return null
}
