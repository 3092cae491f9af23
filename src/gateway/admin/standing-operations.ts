// How the exchange stands, and who asks.

import { adminScopes } from '../../protocol/admin-scopes.ts'
import { Type } from '../../protocol/schemas/typebox.ts'
import { version } from '../documents/version.ts'
import { moneyText } from '../market-text.ts'
import { admin } from './admin-operation.ts'
import { standingWarnings } from './standing-warnings.ts'

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const count = (description: string) => Type.Integer({ description })

const marketRow = Type.Object({
  symbol: Type.String(),
  status: Type.String({
    description: 'As in `GET /info`; not_listed: there is no such market',
  }),
  required: Type.Boolean({ description: 'The exchange is not ready until this market is' }),
  ready: Type.Boolean({ description: 'It accepts orders that add to a position' }),
  reason: orNull('Why it is not ready; null: it is'),
})

export const getStanding = admin({
  name: 'get_standing',
  http: 'GET /standing',
  scope: 'read',
  summary: 'Show whether orders are accepted, the load, and the queues',
  request: Type.Object({}),
  reply: Type.Object({
    kind: Type.Enum(['sandbox', 'venue']),
    version: Type.String(),
    mode: Type.String({ description: 'Of the whole exchange' }),
    missing: orNull('Why it is not ready, as `/ready` says; null: it is'),
    markets: Type.Array(marketRow, { description: 'As in `/ready`' }),
    warnings: Type.Array(Type.String(), {
      description:
        'Warnings while orders are accepted: price sources that differ, an exhausted ' +
        'fund, limits of money that are off',
    }),
    now: count('Time of the exchange, in ms'),
    seq: count('Newest place in history'),
    history_seq: count('Place in history that can be read back'),
    requests_under_way: count('Of the process that answers; gateways have their own'),
    requests_waiting: Type.Integer(),
    commands_waiting: count('Not yet on their way to the disk'),
    disk_free_bytes: Type.Integer(),
    accounts: count('Ever opened, those of the exchange too'),
    withdrawals: count('Neither completed nor failed'),
    withdrawals_waiting: count('Of them, those that wait for an approval'),
    withdrawals_value: Type.String({ description: 'USD, of all of them' }),
    announced_changes: count('Of markets, that wait for their time'),
  }),
  handle({ exchange, operator, tokens }) {
    const { view, settings } = exchange
    const standing = operator.standing()
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
})

export const getToken = admin({
  name: 'get_token',
  http: 'GET /token',
  scope: null,
  summary: 'Show the holder of this token and its scopes',
  request: Type.Object({}),
  reply: Type.Object({
    name: Type.String(),
    scopes: Type.Array(Type.Enum([...adminScopes])),
  }),
  handle: ({ holder: { name, scopes } }) => ({ name, scopes: [...scopes] }),
})
