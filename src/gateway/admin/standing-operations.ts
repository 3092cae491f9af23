import { moneyText } from '../../projections/market-text.ts'
import { version } from '../documents/version.ts'
import type { AdminAnswers } from './admin-operation.ts'
import { standingWarnings } from './standing-warnings.ts'

export const standingAnswers = {
  get_standing({ exchange, operator, tokens }) {
    const { view, settings } = exchange
    const standing = operator.status()
    const queued = view.money.withdrawals()
    return {
      kind: settings.mode,
      version,
      mode: view.mode,
      missing: standing.missing,
      markets: [...standing.markets],
      warnings: [...standingWarnings(exchange, tokens)],
      now: view.atMs,
      seq: exchange.seq(),
      history_seq: standing.historySeq,
      requests_under_way: standing.requestsUnderWay,
      requests_waiting: standing.requestsWaiting,
      commands_waiting: standing.commandsWaiting,
      disk_free_bytes: standing.diskFree,
      accounts: view.accounts.count,
      withdrawals: queued.length,
      withdrawals_waiting: queued.filter(({ approvers, needed }) => approvers.length < needed)
        .length,
      withdrawals_value: moneyText(queued.reduce((sum, { amount }) => sum + amount, 0)),
      announced_changes: view.markets
        .all()
        .reduce((sum, { announcedChanges }) => sum + announcedChanges.length, 0),
    }
  },
  get_token: ({ holder: { name, scopes } }) => ({ name, scopes: [...scopes] }),
} satisfies Partial<AdminAnswers>
