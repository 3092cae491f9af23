// The declarations of the typed client in the package. Every type is written out under its own name
// with the descriptions of the reference, because types computed at compile time carry no comments
// for editors to show. The build writes them in place of the compiler's declarations of
// src/client/methods.ts, and a test checks that both are equivalent.

import { apiOperations } from '../../gateway/routes/all-operations.ts'
import { type RouteName, routeNames, routes } from '../../protocol/routes.ts'
import { channelTables, channelTypes } from './channel-types.ts'
import { batchActionText, methodText, typeName, typesOf } from './operation-types.ts'

const preface = `// Written by the build from the schemas that the exchange validates with.

import type { Signer } from './key.js'
import type { CallOptions } from './requests.js'
`

const orderReply = `/** What an order is known by, in replies over the websocket. */
export interface OrderReply {
  /** Order id; \`null\` where it was named by its client id alone. */
  readonly i: number | null
  /** Client id; \`null\`: it has none, or was named by its order id. */
  readonly I: string | null
  /** Symbol. */
  readonly s: string
}

/** Result of one action of a batch over the websocket. */
export type BatchResult = BatchOrdersReply['results'][number] & Pick<OrderReply, 'i' | 'I'>
`

/** Replies that differ over the websocket from those over HTTP. */
const wsReplies: Readonly<Partial<Record<RouteName, string>>> = {
  create_oco_order: 'CreateOcoOrderReply',
  cancel_all_orders: 'CancelAllOrdersReply',
  schedule_cancel: 'ScheduleCancelReply',
  set_position_tpsl: 'Readonly<Record<string, never>>',
  set_mmp: 'Readonly<Record<string, never>>',
  reset_mmp: 'Readonly<Record<string, never>>',
  batch_orders: 'Readonly<{ results: readonly BatchResult[] }>',
}

function table(name: string, names: readonly RouteName[], type: (name: RouteName) => string) {
  return `interface ${name} {\n${names.map((each) => `  ${each}: ${type(each)}\n`).join('')}}\n`
}

const named = (names: readonly RouteName[]) => names.map((each) => `\n  | '${each}'`).join('')

export function declarations(): string {
  const operations = new Map(apiOperations('sandbox').map((each) => [each.name, each]))
  const where = (fits: (name: RouteName) => boolean) => routeNames.filter(fits)
  const ws = where((name) => routes[name].ws !== null)
  const rowed = where((name) => routes[name].wraps === 'page')
  const methods = routeNames.map((name) => methodText(operations.get(name)!))
  return [
    preface,
    batchActionText(),
    ...routeNames.map(typesOf),
    '/** The name of an operation of the API. */',
    `export type RouteName =${named(routeNames)}\n`,
    '/** The name of a list with pages. */',
    `export type PageName =${named(rowed)}\n`,
    '/** The name of a list that is served as comma-separated values too. */',
    `export type CsvName =${named(where((name) => routes[name].csv))}\n`,
    '/** The name of an operation that the websocket serves too. */',
    `export type WsName =${named(ws)}\n`,
    table('Requests', routeNames, (name) => `${typeName(name)}Request`),
    table('Replies', routeNames, (name) => `${typeName(name)}Reply`),
    table('Rows', rowed, (name) => `${typeName(name)}Reply['rows'][number]`),
    '/** What an operation is given; the client adds account, time and signature. */',
    'export type FieldsOf<N extends RouteName> = Requests[N]\n',
    '/** What an operation answers, without the envelope. */',
    'export type ReplyOf<N extends RouteName> = Replies[N]\n',
    '/** A row of a list with pages. */',
    'export type RowOf<N extends PageName> = Rows[N]\n',
    '/** One method for each operation of the API. */',
    `export interface Methods {\n${methods.join('\n')}}\n`,
    orderReply,
    table('WsReplies', ws, (name) => wsReplies[name] ?? 'OrderReply'),
    '/** What an operation is answered over the websocket. */',
    'export type TradingReplyOf<N extends WsName> = WsReplies[N]\n',
    channelTypes(),
    channelTables(),
  ].join('\n')
}
