// Requests and replies of the routes of the sandbox.

import { scenarioNames } from '../words.ts'
import { address, decimal, optional, symbol } from './field-types.ts'
import { Type } from './typebox.ts'

export const faucetBody = Type.Object({
  account: address('Account that is credited'),
  amount: decimal('USD, at most 1000000000'),
})
export const faucetReply = Type.Object({ balance: decimal('Balance afterwards, in USD') })

const advanceMax = 31 * 86_400_000
export const clockBody = Type.Object({
  advance_ms: optional(
    Type.Integer({ minimum: 1, maximum: advanceMax, description: 'At most 31 days' }),
  ),
  freeze: optional(Type.Literal(true, { description: 'Stops engine time' })),
  resume: optional(Type.Literal(true, { description: 'Lets engine time go on' })),
})
export const clockReply = Type.Object({
  engine_now: Type.Integer({ description: 'Time of the exchange, milliseconds' }),
  now: Type.Integer({ description: 'Time of the machine, milliseconds' }),
  frozen: Type.Boolean({ description: 'Whether the time of the exchange is frozen' }),
  offset_ms: Type.Integer({
    description: 'Time by which the exchange is ahead of the clock of the machine',
  }),
  manual: Type.Boolean({ description: 'Whether time moves only by `advance_ms`' }),
})

const pathMax = 10_000
export const oracleBody = Type.Object({
  symbol,
  price: optional(decimal('Holds until set again or resumed')),
  path: optional(
    Type.Array(decimal('A price'), {
      minItems: 1,
      maxItems: pathMax,
      description: 'One price per tick; the last holds',
    }),
  ),
  jump: optional(
    Type.Boolean({
      description:
        'With price. true (default): index and mark jump to the price immediately. false: ' +
        'like prices of a feed: the index follows within the limit of a tick, and the ' +
        'market is catching_up meanwhile',
    }),
  ),
  resume: optional(Type.Literal(true, { description: 'Lets the price walk again' })),
})
export const oracleReply = Type.Object({
  symbol,
  oracle: decimal('Current index price'),
})

export const savedReply = Type.Object({
  id: Type.String({ description: 'Name to revert to' }),
  seq: Type.Integer({ description: 'Sequence number in history' }),
  engine_now: Type.Integer({ description: 'Time of the exchange at which the snapshot was made' }),
  created_at: Type.Integer({ description: 'Time of the machine at which the snapshot was made' }),
})

export const revertBody = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, description: 'Snapshot to return to' }),
})
export const revertReply = Type.Object({
  id: Type.String({ description: 'Snapshot to which the sandbox was reverted' }),
})

export const botsBody = Type.Object({
  running: Type.Boolean({ description: 'Whether bots trade' }),
})
export const botsReply = Type.Object({
  running: Type.Boolean({ description: 'Whether bots trade now' }),
})

export const scenarioBody = Type.Object({
  name: Type.Enum([...scenarioNames], { description: 'Path of the request' }),
  symbol,
})
export const scenarioReply = Type.Object({
  name: Type.String({ description: 'Path of the request' }),
  symbol,
})

const engineNow = Type.Integer({ description: 'Time of the exchange, milliseconds' })
export const resetReply = Type.Object({
  seq: Type.Integer({ description: 'Sequence number in history' }),
  engine_now: engineNow,
})

export const hashReply = Type.Object({
  seq: Type.Integer({ description: 'Sequence number in history' }),
  trading_hash: Type.String({ description: 'Hash of books, positions and money' }),
  state_hash: Type.String({
    description: 'Hash of the whole state, including sequence number, time and used signed texts',
  }),
})

export const settleReply = Type.Object({
  seq: Type.Integer({ description: 'Sequence number in history' }),
  engine_now: engineNow,
  next_event_at: Type.Integer({
    description: 'Next time of the exchange at which an event occurs without a request',
  }),
})

export const dropBody = Type.Object({
  account: optional(address('Only websockets of this account (default: all connections)')),
  kind: optional(
    Type.Enum(['ws', 'http'], {
      description: '`ws` (default): websockets. `http`: HTTP connections without a pending request',
    }),
  ),
})
export const dropReply = Type.Object({
  dropped: Type.Integer({ description: 'Number of connections that were cut' }),
})

const atText = 'Last entry, or UTC time that no entry may be later than (default: now)'
export const forkBody = Type.Object({
  at: optional(
    Type.Union([
      Type.Integer({ minimum: 1, description: atText }),
      Type.String({ maxLength: 32, description: atText }),
    ]),
  ),
})
const forkId = Type.String({ minLength: 1, maxLength: 64, description: 'Name of the fork' })
export const forkReply = Type.Object({
  id: forkId,
  url: Type.String({ description: 'Address of its API, without `/api/v1`' }),
  ws: Type.String({ description: 'Address of its websocket' }),
  compat_url: Type.Union([Type.String(), Type.Null()], {
    description: 'Address of it for ccxt and other existing clients',
  }),
  pid: Type.Integer({ description: 'Its process' }),
  seq: Type.Integer({ description: 'The last entry that both have' }),
  engine_now: engineNow,
})
export const endForkBody = Type.Object({ id: forkId })
export const endForkReply = Type.Object({ id: forkId })
