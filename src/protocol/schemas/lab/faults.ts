// Requests and replies of the routes that inject and report faults of a sandbox.

import { optional, orNull } from '../field-types.ts'
import { type Static, Type } from '../typebox.ts'
import { matchAccount, matchChannel, matchIp, matchKey, seedField, text } from './latency.ts'

export const requestFaults = [
  ...(['429', '503', 'timeout_lost', 'timeout_done'] as const),
  ...(['reset', 'slow', 'duplicate', 'skew'] as const),
] as const
export const streamFaults = [
  ...(['ws_drop', 'ws_refuse', 'ws_gap', 'late'] as const),
  ...(['duplicate', 'silent', 'bad_checksum'] as const),
] as const
export const venueFaults = ['feed_stall', 'halt', 'cancel_only', 'restart'] as const
export const faultNames = [...new Set([...requestFaults, ...streamFaults, ...venueFaults])]
export const profileNames = ['gentle', 'bad-day', 'incident'] as const

const rule = Type.Object({
  id: optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Default: r1, r2 and so on' }),
  ),
  fault: Type.Enum([...faultNames], { description: 'What happens' }),
  match: optional(
    Type.Object({
      account: matchAccount,
      key: matchKey,
      ip: matchIp,
      op: text('Path of the request, such as orders/create; `*` in it matches any text'),
      channel: matchChannel,
    }),
  ),
  channel: text('The same as match.channel'),
  p: optional(Type.Number({ minimum: 0, maximum: 1, description: 'Probability (default: 1)' })),
  at: text('When it begins, after the plan was set: 00:10:00, 90s or 10m (default: immediately)'),
  for: text('How long it lasts (default: to the end; faults of the venue: 60s, restart: 5s)'),
  times: optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        'How often it applies to each account at most; faults of the venue: how often it begins',
    }),
  ),
  every: text('How often it begins, such as 1h or 1h±10m'),
  ms: optional(
    Type.Integer({
      minimum: 0,
      maximum: 600_000,
      description:
        'slow, late: extra delay. timeout: until the connection is closed. skew: how far the ' +
        'clock of the exchange is ahead',
    }),
  ),
  done: optional(
    Type.Boolean({ description: 'reset: whether the request is carried out (default: by chance)' }),
  ),
  symbol: text('feed_stall: the market (default: all)'),
})
export type FaultRule = Static<typeof rule>

export const faultsBody = Type.Object({
  seed: optional(seedField),
  profile: optional(Type.Enum([...profileNames], { description: 'Rules of a usual kind' })),
  rules: optional(
    Type.Array(rule, {
      maxItems: 100,
      description: 'The first rule that applies decides. []: no faults',
    }),
  ),
})
export type FaultPlan = Static<typeof faultsBody>

const integer = (description: string) => Type.Integer({ description })
const string = (description: string) => Type.String({ description })

export const faultsReply = Type.Object({
  rules: integer('Number of rules of the plan; 0: no faults'),
  count: integer('Number of faults since the plan was set'),
  digest: string('Hash of the faults without times and ids; equal in every run with this seed'),
  faults: Type.Array(
    Type.Object({
      n: integer('Number of the fault'),
      rule: string('Rule that caused the fault'),
      fault: string('Kind of fault'),
      account: orNull(Type.String(), 'Account of the request or frame'),
      ordinal: integer('Ordinal of the request or frame, of this account under the rule'),
      at: integer('Engine time, milliseconds'),
      target: string('Path of the request, or channel of the frame'),
      venue: string('Result at the exchange'),
      client: string('What the client received'),
    }),
    { description: 'Faults by rule, account and ordinal; the newest 10000' },
  ),
  differences: Type.Array(
    Type.Object({
      account: orNull(Type.String(), 'Account that has the belief'),
      subject: string('Subject of the belief: an order, a request or a channel'),
      client: string('What a client must believe from what was delivered'),
      venue: string('Truth at the exchange'),
      cause: integer('n of the first fault that caused it'),
      since: integer('Engine time at which the difference began'),
      known_from: orNull(
        Type.Integer(),
        'Engine time from which the client could know the truth; null if it cannot yet',
      ),
      until: orNull(
        Type.Integer(),
        'Engine time at which the difference ended; null if it has not',
      ),
    }),
    {
      description:
        "Cases in which the client's belief differs or differed from the truth; the newest " +
        '10000',
    },
  ),
})
export type FaultReport = Static<typeof faultsReply>
