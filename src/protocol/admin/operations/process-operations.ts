// The process itself, the tokens, and the actions of operators.

import { count, optional, orNull, text } from '../../schemas/field-types.ts'
import { LIST_LIMIT, limitOf } from '../../schemas/lists.ts'
import { Type } from '../../schemas/typebox.ts'
import { type AdminRows, adminScopes } from '../admin-row.ts'

const scopes = Type.Array(Type.Enum([...adminScopes]))
const journaled = Type.Boolean({
  description:
    'Whether caller and reason were recorded in the journal; the action is executed in either case',
})

export const processOperations = {
  get_hashes: {
    http: 'GET /hash',
    scope: 'read',
    summary: 'Show state hash and trading hash, and their place in history',
    request: Type.Object({}),
    reply: Type.Object({
      seq: count(),
      state_hash: text(),
      trading_hash: text(),
    }),
  },
  back_up: {
    http: 'POST /backup',
    scope: 'operate',
    summary: 'Copy everything that a restore needs into a new folder next to the data',
    request: Type.Object({}),
    reply: Type.Object({
      folder: text(),
      seq: count(),
      journaled,
    }),
  },
  drain: {
    http: 'POST /drain',
    scope: 'operate',
    summary: 'Stop accepting orders; cancels are served until the process is stopped',
    request: Type.Object({}),
    reply: Type.Object({ draining: Type.Boolean(), journaled }),
  },
  get_token: {
    http: 'GET /token',
    scope: null,
    summary: 'Show the holder of this token and its scopes',
    request: Type.Object({}),
    reply: Type.Object({
      name: text(),
      scopes,
    }),
  },
  get_tokens: {
    http: 'GET /tokens',
    scope: 'read',
    summary: 'List the holders of admin tokens and their scopes, without the tokens',
    request: Type.Object({}),
    reply: Type.Array(
      Type.Object({
        name: text(),
        scopes,
        yours: Type.Boolean({ description: 'The token of this request' }),
      }),
    ),
  },
  get_operator_actions: {
    http: 'GET /journal',
    scope: 'read',
    summary: 'List actions of operators, also refused ones, with name and reason, newest first',
    request: Type.Object({
      limit: limitOf({ maximum: 1_000, default: LIST_LIMIT, rows: 'entries' }),
      before: optional(Type.Integer({ minimum: 1, description: 'Only entries before this seq' })),
    }),
    reply: Type.Array(
      Type.Object({
        seq: count(),
        at: count(),
        who: text(),
        why: text(),
        what: text(),
        outcome: Type.Enum(['done', 'refused'], {
          description: 'A refused action changes nothing',
        }),
        rejection: orNull(
          text(),
          'Name of the refusal, such as INVALID_AMOUNT; null if the action was executed',
        ),
        details: text('Parameters of the action, in dollars, base units and symbols'),
        command: text('The exact command, in the units of the core'),
      }),
    ),
  },
} as const satisfies AdminRows
