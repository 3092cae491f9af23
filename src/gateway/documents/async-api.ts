// The AsyncAPI document of the websocket, generated from its channels and operations.

import { wsPath } from '../../protocol/routes.ts'
import { dataSchemas } from '../../protocol/streams/channel-schemas.ts'
import {
  type ChannelName,
  type ChannelOf,
  type Declaration,
  declared,
} from '../../protocol/streams/channels.ts'
import { gathers } from '../../protocol/words.ts'
import { intervals } from '../../units/intervals.ts'
import type { Operation } from '../operation.ts'
import { arming } from '../operations/orders/schedule-cancel.ts'
import { bodySchemaOf } from '../request-body.ts'
import { authenticateParams } from './credentials.ts'

type Json = Readonly<Record<string, unknown>>

const text = (description: string) => ({ type: 'string', description })
const whole = (description: string) => ({ type: 'integer', description })
const object = (properties: Json, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

const symbol = text('Market symbol, as GET /info lists it')
const account = {
  account: text('Address of the account; `user` and `address` mean the same'),
  resume_from: whole('`li` of the last frame of this channel: resume with what was sent since'),
}

const since = whole('Milliseconds of engine time: begin with the events since then, 2,000 at most')

/** Parameters of a subscription in addition to its source, and the required ones. */
const paramsOf: Readonly<Record<ChannelOf, Readonly<{ fields: Json; needs: string[] }>>> = {
  all: { fields: {}, needs: [] },
  symbol: { fields: { symbol }, needs: ['symbol'] },
  book: {
    fields: { symbol, agg_level: { enum: [...gathers], default: 1 } },
    needs: ['symbol'],
  },
  interval: {
    fields: { symbol, interval: { enum: [...intervals] } },
    needs: ['symbol', 'interval'],
  },
  account: { fields: account, needs: ['account'] },
}

const id = { anyOf: [{ type: 'string', maxLength: 64 }, { type: 'integer' }] }

function subscribeMessage(name: ChannelName): Json {
  const { sources, of, summary, since: hasSince }: Declaration = declared[name]
  const { fields, needs } = paramsOf[of]
  const source = { enum: [...sources] }
  const more = hasSince === true ? { since } : {}
  const params = object({ source, ...fields, ...more }, ['source', ...needs])
  const method = { enum: ['subscribe', 'unsubscribe'] }
  return { summary, payload: object({ method, id, params }, ['method', 'params']) }
}

function frameMessage(name: ChannelName): Json {
  const { sources, summary, sends } = declared[name]
  const skipped = whole('Frames left out because the reader was slow; absent: none')
  const fields = {
    channel: { enum: [...sources] },
    data: dataSchemas[name],
    li: whole('Engine sequence number'),
    prev: {
      description:
        'li of the frame before on this subscription, or where it began; null: do not compare',
      anyOf: [whole('A place in history'), { type: 'null' }],
    },
    skipped,
  }
  return {
    summary,
    'x-sends': sends,
    payload: object(fields, ['channel', 'data', 'li', 'prev']),
  }
}

function requestMessage(operation: Operation): Json {
  const params = object({ [operation.ws!]: bodySchemaOf(operation) })
  return { summary: operation.summary, payload: object({ id, params }) }
}

const rl = {
  description:
    'Credits in tenths: remaining, limit, seconds until some are restored; null: no limits',
  anyOf: [object({ r: whole('Left'), q: whole('In all'), t: whole('Seconds') }), { type: 'null' }],
}

/** Methods other than subscriptions and trading requests. */
const methods: Json = {
  authenticate: {
    summary: 'Read as the owner of an account: by its API key, or by a signed read',
    payload: object({ method: { const: 'authenticate' }, id, params: authenticateParams }, [
      'method',
      'params',
    ]),
  },
  cancel_on_disconnect: {
    summary: arming.summary,
    payload: object(
      {
        ...{ method: { const: 'cancel_on_disconnect' }, id },
        params: { anyOf: [bodySchemaOf(arming), { type: 'null' }] },
      },
      ['method', 'params'],
    ),
  },
}

const answers: Json = {
  armed: {
    summary: 'The connection is armed or disarmed',
    payload: object(
      {
        channel: { const: 'cancel_on_disconnect' },
        id,
        data: object({
          armed: { type: 'boolean' },
          account: { anyOf: [text('Whose orders are cancelled'), { type: 'null' }] },
          keep_protective: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
        }),
      },
      ['channel', 'data'],
    ),
  },
  authenticated: {
    summary: 'The connection has the key, or reads as the account',
    payload: object(
      {
        channel: { const: 'authenticate' },
        id,
        data: object({ account: text('Whose key it is, or who signed') }),
      },
      ['channel', 'data'],
    ),
  },
  reply: {
    summary: 'A request was executed',
    payload: object({
      ...{ id, type: text('Operation'), code: { const: 200 }, data: { type: 'object' } },
      ...{ t: whole('Engine time'), rl },
    }),
  },
  refusal: {
    summary: 'A request was refused',
    payload: object({
      ...{ id, type: text('Operation'), code: whole('Engine code, else the HTTP status') },
      ...{ err: text('Why'), error: text('The same'), data: object({ error: text('Also') }) },
      ...{ t: whole('Engine time'), rl },
    }),
  },
  error: {
    summary: 'A message was not understood, or a subscription refused',
    payload: object(
      {
        channel: { const: 'error' },
        id,
        data: object({ error: text('Why'), code: whole('HTTP status'), params: {} }),
      },
      ['channel', 'data'],
    ),
  },
  reverted: {
    summary: 'The sandbox was reverted to a snapshot; every subscription starts again',
    payload: object({
      channel: { const: 'reverted' },
      data: object({ id: text('Snapshot'), t: whole('Engine time') }),
      li: whole('Engine sequence number'),
    }),
  },
}

export function asyncApi(operations: readonly Operation[], version: string): Json {
  const names = Object.keys(declared) as ChannelName[]
  const served = operations.filter(({ ws }) => ws !== null)
  const messages = {
    ...Object.fromEntries(names.map((name) => [`subscribe_${name}`, subscribeMessage(name)])),
    ...Object.fromEntries(names.map((name) => [name, frameMessage(name)])),
    ...Object.fromEntries(served.map((each) => [each.ws!, requestMessage(each)])),
    ...methods,
    ...answers,
  }
  const channel = { $ref: '#/channels/ws' }
  const refs = (keys: readonly string[]) =>
    keys.map((key) => ({ $ref: `#/channels/ws/messages/${key}` }))
  return {
    asyncapi: '3.0.0',
    info: { title: 'openperp', version, description: 'Streams and trading over one websocket' },
    channels: { ws: { address: wsPath, messages } },
    operations: {
      receive: {
        action: 'receive',
        channel,
        messages: refs([
          ...names.map((name) => `subscribe_${name}`),
          ...served.map(({ ws }) => ws!),
          ...Object.keys(methods),
        ]),
      },
      send: { action: 'send', channel, messages: refs([...names, ...Object.keys(answers)]) },
    },
  }
}
