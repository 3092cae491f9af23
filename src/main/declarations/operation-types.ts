// The types of each operation, written out: request, reply and method.

import type { Schema } from '../../gateway/documents/fields.ts'
import type { Operation } from '../../gateway/operation.ts'
import { answerOf } from '../../gateway/refusal.ts'
import { batchActions } from '../../protocol/batch-actions.ts'
import { routeSchemas } from '../../protocol/route-schemas.ts'
import { type RouteName, routes } from '../../protocol/routes.ts'
import { quoteBody } from '../../protocol/schemas/order-requests.ts'
import { commentText, objectText, typeText } from './type-text.ts'

/** Type name of an operation: `create_order` becomes `CreateOrder`. */
export const typeName = (name: string) =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

const ownAccount = "Address of the account (default: the client's own)."

/** Types of the requests with several signatures, by operation. */
const special: Readonly<Partial<Record<RouteName, string>>> = {
  batch_orders: `{
  /** The actions, up to 10, or up to 50 under one signature. They run in order. */
  actions: readonly BatchAction[]
  /** One signature for all of them (default: false, each action is signed separately). */
  together?: boolean
}`,
  create_subaccount: `{
  /** Key of the new account, which signs too. */
  subaccount: Signer
}`,
}

function requestText(name: RouteName): string {
  const { ofAccount, csv } = routes[name]
  const without = csv ? ['format'] : []
  const optional: Readonly<Record<string, string>> = ofAccount ? { account: ownAccount } : {}
  const options = { undefined: true, without, optional }
  return special[name] ?? objectText(routeSchemas[name].request as Schema, options)
}

/** Type name of a row if the reply is a list, and the text of both types. */
function replyTexts(name: RouteName): readonly string[] {
  const reply = routeSchemas[name].reply as Schema
  const type = typeName(name)
  const row = rowOf(reply)
  const about = (text: string) => commentText([text], '')
  if (row === null) {
    const isObject = reply.properties !== undefined
    const text = isObject ? `interface ${type}Reply ${objectText(reply)}` : null
    const said = about(`Reply of \`${name}\`.`)
    return [`${said}export ${text ?? `type ${type}Reply = ${typeText(reply)}`}\n`]
  }
  const rows = [
    `${about(`A row of the reply of \`${name}\`.`)}export interface ${type}Row ${row}\n`,
  ]
  const said = about(`Reply of \`${name}\`.`)
  if (reply.properties === undefined)
    return [...rows, `${said}export type ${type}Reply = ${type}Row[]\n`]
  const others = objectText(reply, { without: ['rows'] }).replace(/^\{\n?/, '')
  const list = `{\n  /** The rows. */\n  rows: ${type}Row[]\n${others === '}' ? '}' : others}`
  return [...rows, `${said}export interface ${type}Reply ${list}\n`]
}

function rowOf(reply: Schema): string | null {
  const list = reply.type === 'array' ? reply : reply.properties?.rows
  const { items } = list ?? {}
  return items?.properties === undefined ? null : objectText(items)
}

export function typesOf(name: RouteName): string {
  const type = typeName(name)
  const said = commentText([`Fields of \`${name}\`.`], '')
  const request = `${said}export interface ${type}Request ${requestText(name)}\n`
  return [request, ...replyTexts(name)].join('\n')
}

const failures = [
  '@throws {NetworkFailure | TimeoutFailure} No reply came.',
  '@throws {NetworkFailure | TimeoutFailure} No reply came: it may have been carried out.',
] as const

/** Returns the method with the description from the reference. */
export function methodText(operation: Operation): string {
  const { name, http, summary, signs, notFound } = operation
  const type = typeName(name)
  const method = `${type[0]!.toLowerCase()}${type.slice(1)}`
  const isRead = http.startsWith('GET')
  const comment = commentText(
    [
      `${summary}.`,
      '',
      `\`${name}\`, \`${http}\`${signs === null ? '' : `, signed as \`${signs}\``}`,
      '',
      `@throws {ApiRefusal} The exchange refused it${refusalsText(operation)}.`,
      ...(notFound === undefined ? [] : ['@throws {ApiRefusal} 404: it is not there.']),
      failures[isRead ? 0 : 1],
    ],
    '  ',
  )
  const request = requestText(name as RouteName)
  const isFree = !/^ {2}(?:'[^']+'|\w+): /m.test(request)
  const given = `fields${isFree ? '?' : ''}: ${type}Request`
  return `${comment}  ${method}(${given}, options?: CallOptions): Promise<${type}Reply>\n`
}

function refusalsText({ rejects, refusals }: Operation): string {
  if (rejects.length === 0) return ''
  const statuses = [...new Set(rejects.map((name) => answerOf(name, refusals).status))]
  return `; \`reason\` by the rules (${statuses.join(', ')}): ${rejects.join(', ')}`
}

export function batchActionText(): string {
  const action = (type: string, data: string) =>
    `  | Readonly<{\n      /** Kind of the action. */\n      type: '${type}'\n` +
    `      /** Fields of the action. */\n      data: ${data}\n    }>\n`
  const actions = Object.entries(batchActions).map(([type, name]) =>
    action(type, `${typeName(name)}Request`),
  )
  const quote = objectText(quoteBody as Schema, { undefined: true })
  return (
    '/** What `Quote` is given, an action of a batch under one signature. */\n' +
    `export interface QuoteRequest ${quote}\n\n` +
    '/** An action of a batch. */\n' +
    `export type BatchAction =\n${actions.join('')}${action('Quote', 'QuoteRequest')}`
  )
}
