// `openperp request`: any route of the API, signed where it has to be.

import type { FieldsOf } from '../../client/methods.ts'
import { type RouteName, routeNames, routes } from '../../protocol/routes.ts'
import { clientOf, replyTo, signerOptions } from '../connection.ts'
import { command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { nearWord } from '../frame/near-word.ts'
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
    const { values, words, environment } = call
    const [path, text] = words as [string, string | undefined]
    const name = routeOf(path, text !== undefined)
    const given = fieldsOf(text ?? '{}')
    if (name === 'create_subaccount')
      throw misused('two keys sign create_subaccount: a program does it', 'docs/api/signing.md')
    if (name === 'batch_orders' && !Array.isArray(given.actions))
      throw misused('the body lacks actions, a list', `such as '{"actions":[…]}'`)
    // One signature is for all actions of a batch.
    const fields = name === 'batch_orders' ? { ...given, together: true } : given
    const { signs, ofAccount } = routes[name]
    const named = fields.account !== undefined
    const key =
      signs !== null || (ofAccount && !named)
        ? findKey(values, environment).key
        : keyIfAny(values, environment)?.key
    const client = clientOf(call, key)
    const reply = await replyTo(call, client.call(name, fields as FieldsOf<RouteName>))
    return { json: reply, lines: [JSON.stringify(reply, null, 2)] }
  },
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

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null && !Array.isArray(read))
      return read as Readonly<Record<string, unknown>>
  } catch {
    // Reported below, with accepted values.
  }
  throw misused('the body is not a JSON object', `such as '{"symbol":"BTC"}'`)
}
