// Finds which maximum number has been reached, and where.

import type { BatchAction, Command, RuleLimits } from '../../core/index.ts'

const clock = 'ms after the clock of the exchange (engine_now of GET /api/v1/time)'

/** For objects that do not belong to a market. */
export function countCause(
  command: Command | BatchAction,
  limits: RuleLimits,
  max: number,
): string | null {
  switch (command.type) {
    case 'BindAgent':
      return max === limits.agentsPerAccount
        ? `an account has at most ${max} agents; revoke one first`
        : addresses(max)
    case 'AllowAgentIp':
      return addresses(max)
    case 'CreateApiKey':
      return `an account has at most ${max} API keys; revoke one first`
    case 'CreateSubaccount':
      return max === limits.subaccountsPerAccount
        ? `an account has at most ${max} subaccounts`
        : `the exchange has at most ${max} accounts`
    case 'Withdraw':
      return `at most ${max} withdrawals of an account may be pending; wait until one is over`
    case 'ArmConnection':
      return (
        `at most ${max} connections may be armed for an account by its own key, or by one agent; ` +
        'disarm or close one first'
      )
    default:
      return null
  }
}

const addresses = (max: number) => `an agent has at most ${max} addresses; remove some first`

/** Explains a time that is too early or too late. */
export function timeCause(
  command: Command | BatchAction,
  limits: RuleLimits,
  [time, min, max]: readonly number[],
): string | null {
  const { expireAheadMsMin, chaseMsMax, scheduleAheadMsMin } = limits
  if (command.type === 'ScheduleCancel')
    return `time ${time} must be at least ${min}: ${scheduleAheadMsMin} ${clock}`
  if (!('expireTime' in command)) return null
  const must = `expire_time ${time} must be`
  return max === 0
    ? `${must} at least ${min}: ${expireAheadMsMin} ${clock}`
    : `${must} from ${min} to ${max}: ${expireAheadMsMin} to ${chaseMsMax} ${clock}`
}
