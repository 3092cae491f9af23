// `openperp api`: every operation of the API as a command, made from its schema; and `openperp
// request`, which sends a body. Both sign where it is required.

import type { FieldsOf } from '../../client/methods.ts'
import { routeSchemas } from '../../protocol/route-schemas.ts'
import { routeSummaries } from '../../protocol/route-summaries.ts'
import { type RouteName, routeNames, routes } from '../../protocol/routes.ts'
import { accountOf, accountOptions, clientOf, replyTo, signerOptions } from '../connection.ts'
import { type Call, type Command, command, family } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { nearWord } from '../frame/near-word.ts'
import { replyLines } from '../frame/reply-lines.ts'
import {
  bodyOf,
  type Field,
  fieldsOf,
  flagOf,
  optionOf,
  type Schema,
  type Wording,
} from '../frame/schema-fields.ts'
import { findKey, keyIfAny } from '../key-source.ts'

export const request = command({
  name: 'request',
  group: 'trading',
  summary: 'Send any request of the API and print the answer',
  about:
    'The account, the time and the signature are added. docs/api/reference.md lists the routes.',
  arguments: [
    {
      name: 'path',
      about: 'path (/orders/create) or name (create_order) of the operation',
      required: true,
    },
    { name: 'body', about: 'JSON of the request without account, timestamp and signature' },
  ],
  options: signerOptions,
  examples: [
    'openperp request /account --key alice',
    `openperp request /orders/cancel '{"symbol":"BTC","order_id":7}'`,
    `openperp request get_book '{"symbol":"BTC"}'`,
  ],
  async run(call) {
    const [path, text] = call.words as [string, string | undefined]
    const name = routeOf(path, text !== undefined)
    const given = objectIn(text ?? '{}')
    if (name === 'create_subaccount')
      throw misused(
        'two keys sign create_subaccount',
        '`openperp api create_subaccount` takes both',
      )
    if (name === 'batch_orders' && !Array.isArray(given.actions))
      throw misused('the body lacks actions, a list', `such as '{"actions":[…]}'`)
    // One signature is for all actions of a batch.
    const fields = name === 'batch_orders' ? { ...given, together: true } : given
    const reply = await sent(call, name, fields)
    return { json: reply, lines: [JSON.stringify(reply, null, 2)] }
  },
})

type Sent = Readonly<Record<string, unknown>>

function sent(
  call: Pick<Call<typeof signerOptions>, 'values' | 'environment' | 'screen'>,
  name: RouteName,
  fields: Sent,
): Promise<unknown> {
  const { values, environment } = call
  const { signs, ofAccount } = routes[name]
  const isOwn = ofAccount === true && fields.account === undefined
  const signsAll = signs !== null || name === 'batch_orders' || name === 'create_subaccount'
  const key = signsAll || isOwn ? findKey(values, environment) : keyIfAny(values, environment)
  const client = clientOf(call, key?.key)
  return replyTo(call, client.call(name, fields as FieldsOf<RouteName>))
}

/** Two keys sign it, and nothing else is in it. */
const subaccountOption = {
  'subaccount-key-file': {
    value: '<file>',
    about: 'required; file with the key of the subaccount',
  },
} as const

function fieldsFor(name: RouteName, wording: Wording): readonly Field[] {
  if (name === 'create_subaccount') return []
  const { ofAccount, csv } = routes[name]
  const fields = fieldsOf(routeSchemas[name].request as Schema, wording)
  // The others are of its signature.
  if (name === 'batch_orders') return fields.filter((field) => field.name === 'actions')
  return fields
    .filter((field) => !csv || field.name !== 'format')
    .map((field) =>
      ofAccount && field.name === 'account'
        ? { ...field, required: false, about: accountOptions.account.about }
        : field,
    )
}

function exampleOf({ name, kind, words }: Field): string {
  const sample = name === 'symbol' ? 'BTC' : (words?.[0] ?? (kind === 'whole' ? '1' : '…'))
  return `--${flagOf(name)} ${sample}`
}

function partOf(name: RouteName): Command {
  const { http, signs } = routes[name]
  // One signature is for all actions of a batch.
  const wording = name === 'batch_orders' ? { gives: { together: true } } : {}
  const isSubaccount = name === 'create_subaccount'
  const fields = fieldsFor(name, wording)
  const typed = fields.filter(({ required, kind }) => required && kind !== 'boolean')
  const flags = isSubaccount ? ['--subaccount-key-file …'] : typed.map(exampleOf)
  return {
    name: `api ${name}`,
    group: 'trading',
    summary: routeSummaries[name],
    about: `${http}${signs === null ? '' : ', signed'}. docs/api/reference.md describes the reply.`,
    options: {
      ...Object.fromEntries(fields.map((field) => [flagOf(field.name), optionOf(field)])),
      ...(isSubaccount && subaccountOption),
      ...signerOptions,
    },
    examples: [linesOf(['openperp api', name, ...flags])],
    async run(call) {
      const body = bodyOf(fields, wording, call)
      const account = 'account' in body ? { account: accountOf(call) } : {}
      const second = isSubaccount ? { subaccount: subaccountKey(call) } : {}
      const reply = await sent(call, name, { ...body, ...account, ...second })
      return { json: reply, lines: replyLines(reply) }
    },
  }
}

/** Broken before the flag that does not fit on a line. */
const linesOf = (parts: readonly string[]) =>
  parts.reduce((text, part) => {
    const isLong = text.length + part.length > 100 && !text.includes('\n')
    return `${text}${isLong ? ' \\\n   ' : ''} ${part}`
  })

function subaccountKey({ values, environment }: Call<Partial<typeof subaccountOption>>) {
  const file = values['subaccount-key-file']
  if (file === undefined) throw misused('--subaccount-key-file is required')
  return findKey({ 'key-file': file }, environment).key
}

export const api = family({
  name: 'api',
  group: 'trading',
  summary: 'Call any operation of the API, with its fields as flags',
  about:
    'Each operation of docs/api/reference.md is a command here, by its name. The account, the ' +
    'time and the signature are added.',
  examples: [
    'openperp api get_book --symbol BTC',
    'openperp api get_trades --symbol BTC --limit 20',
    'openperp api update_leverage --symbol BTC --leverage 10 --key alice',
  ],
  briefly: true,
  parts: routeNames.map(partOf),
})

/** A path may be read and posted to: with a body it is posted. */
function routeOf(path: string, hasBody: boolean): RouteName {
  const bare = path.replace(/^\/api\/v1/, '')
  const matching = routeNames.filter(
    (name) => name === path || routes[name].http.split(' ')[1] === bare,
  )
  const wanted = matching.find((name) => routes[name].http.startsWith('POST') === hasBody)
  const found = wanted ?? matching[0]
  if (found !== undefined) return found
  const known = routeNames.flatMap((name) => [name, routes[name].http.split(' ')[1]!])
  const near = nearWord(bare, known)
  throw misused(
    `there is no route ${path}${near === null ? '' : `; did you mean ${near}?`}`,
    'docs/api/reference.md lists them',
  )
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null && !Array.isArray(read))
      return read as Readonly<Record<string, unknown>>
  } catch {
    // Reported below, with accepted values.
  }
  throw misused('the body is not a JSON object', `such as '{"symbol":"BTC"}'`)
}
