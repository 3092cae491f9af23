// Requests and replies of the routes that set and report latencies of a sandbox.

import { optional } from '../field-types.ts'
import { type Static, Type } from '../typebox.ts'

export const legNames = ['order', 'cancel', 'read', 'reply', 'market', 'private'] as const
export const jitterNames = ['uniform', 'lognormal', 'gamma', 'quantiles'] as const
export const presetNames = ['colo', 'region', 'home', 'mobile'] as const

const legUsMax = 60_000_000
const us = (description: string) =>
  Type.Integer({ minimum: 0, maximum: legUsMax, description: `${description}, microseconds` })

export const legSpec = Type.Object({
  const_us: optional(us('Constant delay')),
  base_us: optional(us('Minimum delay; jitter is added')),
  jitter: optional(Type.Enum([...jitterNames], { description: 'Distribution of the jitter' })),
  p50_us: optional(us('Median of the delay, for lognormal and gamma')),
  p99_us: optional(us('99th percentile of the delay, for uniform, lognormal and gamma')),
  quantiles_us: optional(
    Type.Array(Type.Tuple([Type.Number({ minimum: 0, maximum: 1 }), us('Delay')]), {
      minItems: 1,
      maxItems: 100,
      description: 'Pairs of a share from 0 to 1 and the delay, with straight lines in between',
    }),
  ),
  series: optional(
    Type.Array(
      Type.Object({
        t: Type.Integer({ minimum: 0, description: 'Milliseconds since the plan was set' }),
        us: us('Delay from that time on'),
      }),
      { minItems: 1, maxItems: 10_000, description: 'Delays that change with time' },
    ),
  ),
})
export type LegSpec = Static<typeof legSpec>

export const text = (description: string) =>
  optional(Type.String({ minLength: 1, maxLength: 64, description }))
export const matchAccount = text('Name or address of the account; `*` in it matches any text')
export const matchKey = text('Prefix of the API key')
export const matchIp = text('Address of the client')
export const matchChannel = text('Channel of the frame; `*` in it matches any text')
export const seedField = Type.Union([
  Type.Integer({ minimum: 0, description: 'Seed of the random numbers' }),
  Type.String({ maxLength: 64, description: 'Seed of the random numbers' }),
])
const preset = optional(Type.Enum([...presetNames], { description: 'Delays of a usual place' }))

const line = Type.Object({
  match: optional(
    Type.Object({
      account: matchAccount,
      key: matchKey,
      ip: matchIp,
      channel: matchChannel,
    }),
  ),
  preset,
  order: optional(legSpec),
  cancel: optional(legSpec),
  read: optional(legSpec),
  reply: optional(legSpec),
  market: optional(legSpec),
  private: optional(legSpec),
})
export type LineSpec = Static<typeof line>

export const latencyBody = Type.Object({
  seed: optional(seedField),
  preset,
  lines: optional(
    Type.Array(line, {
      maxItems: 100,
      description: 'For each leg, the first line that matches and has it applies. []: no delays',
    }),
  ),
})
export type LatencyPlan = Static<typeof latencyBody>

const shares = (description: string) =>
  Type.Object(
    { p50: Type.Integer(), p99: Type.Integer(), max: Type.Integer() },
    { description: `${description}, microseconds` },
  )

export const latencyReply = Type.Object({
  clock: Type.Enum(['engine', 'machine'], { description: 'Clock by which delays are measured' }),
  lines: Type.Integer({ description: 'Number of lines of the plan; 0: no delays' }),
  in_line: Type.Integer({ description: 'Number of requests, replies and frames that wait' }),
  callers: Type.Integer({
    description: 'Number of these that are requests or replies for which a caller waits',
  }),
  next_due_at: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Engine time at which the next one is due; null if delays are measured by the ' +
      'clock of the machine',
  }),
  legs: Type.Array(
    Type.Object({
      leg: Type.Enum([...legNames], { description: 'Leg of the path' }),
      count: Type.Integer({ description: 'Number of delays' }),
      requested_us: shares('Requested delays'),
      achieved_us: shares('Achieved delays'),
      late_us: shares('Achieved minus requested'),
    }),
    { description: 'Statistics of the newest 4096 delays of each leg' },
  ),
})
export type LatencyReport = Static<typeof latencyReply>
