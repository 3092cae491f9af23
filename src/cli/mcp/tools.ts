// The tools of `openperp mcp`, made from the schemas of the operations.

import type { FieldsOf } from '../../client/methods.ts'
import { routeSchemas } from '../../protocol/route-schemas.ts'
import { routeSummaries } from '../../protocol/route-summaries.ts'
import { type RouteName, routeNames, routes } from '../../protocol/routes.ts'
import { CliError } from '../frame/exit-codes.ts'
import type { Params } from './json-rpc.ts'
import type { Session } from './session.ts'

type Properties = Readonly<Record<string, Readonly<{ description?: string }>>>
type ObjectSchema = Readonly<{
  type: 'object'
  properties: Properties
  required: readonly string[]
  additionalProperties: false
}>

export type Tool = Readonly<{
  name: string
  description: string
  inputSchema: ObjectSchema
  annotations: Readonly<Record<`${string}Hint`, boolean>>
  run(given: Params, signal: AbortSignal): Promise<unknown>
}>

const reads = [
  ...['get_venue', 'get_time', 'get_info', 'get_prices', 'get_risk', 'get_fees', 'get_book'],
  ...['get_trades', 'get_candles', 'get_funding_rates', 'get_account', 'get_agent_policy'],
  ...['get_positions', 'get_open_orders', 'get_order_history', 'get_order_events'],
  ...['get_trade_history', 'get_funding_history', 'get_balance_history', 'get_twap_orders'],
  'get_algo_orders',
] as readonly RouteName[]

const explanations = routeNames.filter((name) => name.startsWith('explain_'))
const sandboxTools = routeNames.filter((name) => routes[name].only === 'sandbox')
const cancels: readonly RouteName[] = [
  'cancel_order',
  'cancel_all_orders',
  'cancel_stop_order',
  'cancel_twap_order',
]

/** Names of the tools that trade. */
export const tradingTools: readonly string[] = ['place_order', ...cancels]

export function toolsOf(session: Session, isSandbox: boolean): readonly Tool[] {
  const trades = isSandbox || session.allowTrading
  return [
    ...[...reads, ...explanations].map((name) => toolOf(session, name)),
    previewTool(session, trades),
    ...(trades ? [placeTool(session), ...cancels.map((name) => cancelTool(session, name))] : []),
    ...(isSandbox ? sandboxTools.map((name) => toolOf(session, name)) : []),
  ]
}

const readOnly = { readOnlyHint: true, openWorldHint: false } as const
const acts = { readOnlyHint: false, destructiveHint: true, openWorldHint: false } as const

function toolOf(session: Session, name: RouteName): Tool {
  return {
    name,
    description: `${routeSummaries[name]}.`,
    inputSchema: schemaOf(session, name),
    annotations: routes[name].http.startsWith('GET') ? readOnly : acts,
    run: (given, signal) => call(session, name, given, signal),
  }
}

/** Fields with a default, of the operations that have them. */
function defaultsOf({ account, agent }: Session): Params {
  return {
    ...(account !== null && { account }),
    ...(agent !== null && { agent_wallet: agent.address }),
  }
}

function schemaOf(session: Session, name: RouteName, omitted: readonly string[] = []) {
  const { properties, required = [] } = routeSchemas[name].request as unknown as ObjectSchema
  const defaults = defaultsOf(session)
  // Pages are lists of JSON here.
  const kept = Object.entries(properties).filter(
    ([field]) => field !== 'format' && !omitted.includes(field),
  )
  return {
    type: 'object',
    properties: Object.fromEntries(kept),
    required: required.filter((field) => !(field in defaults) && !omitted.includes(field)),
    additionalProperties: false,
  } as const
}

function call(session: Session, name: RouteName, given: Params, signal: AbortSignal) {
  const { properties } = routeSchemas[name].request as unknown as ObjectSchema
  const defaults = Object.entries(defaultsOf(session)).filter(([field]) => field in properties)
  const fields: Params = { ...Object.fromEntries(defaults), ...given }
  if (routes[name].ofAccount && fields.account === undefined)
    throw new CliError('misused', `${name} needs an account: start with --account or with a key`)
  return session.client.call(name, fields as FieldsOf<RouteName>, { signal })
}

function cancelTool(session: Session, name: RouteName): Tool {
  const tool = toolOf(session, name)
  return {
    ...tool,
    async run(given, signal) {
      await session.requirePolicy(signal)
      return tool.run(given, signal)
    },
  }
}

/** The order is previewed for the account and the key with which it would be placed. */
const ofPreview = ['account', 'agent_wallet', 'leverage']

function previewTool(session: Session, trades: boolean): Tool {
  const name = 'preview_order'
  return {
    name,
    description:
      `${routeSummaries[name]}.` +
      (trades ? ' An accepted order gets a preview_id, with which place_order places it.' : ''),
    inputSchema: schemaOf(session, name, ofPreview),
    annotations: readOnly,
    async run(given, signal) {
      const reply = (await call(session, name, given, signal)) as Readonly<{ accepted: boolean }>
      return trades && reply.accepted
        ? { preview_id: session.keep(placementOf(given)), ...reply }
        : reply
    },
  }
}

/** The operation that places a previewed order, and its body. */
function placementOf({ chase, ...given }: Params) {
  const present = Object.entries(given).filter(([, value]) => value != null)
  const has = (field: string) => present.some(([name]) => name === field)
  const operation: RouteName = has('legs')
    ? 'create_oco_order'
    : has('stop_order')
      ? 'create_stop_order'
      : has('display_amount')
        ? 'create_iceberg_order'
        : chase === true
          ? 'create_chase_order'
          : has('slippage_percent')
            ? 'create_market_order'
            : 'create_order'
  const reduces = operation === 'create_oco_order' ? {} : { reduce_only: false }
  return { operation, body: { ...reduces, ...Object.fromEntries(present) } }
}

function placeTool(session: Session): Tool {
  const preview_id = { type: 'string', description: 'From preview_order; valid once, 5 minutes' }
  return {
    name: 'place_order',
    description: 'Place the order of a preview, unchanged. Its key needs a policy.',
    inputSchema: {
      type: 'object',
      properties: { preview_id },
      required: ['preview_id'],
      additionalProperties: false,
    },
    annotations: acts,
    async run({ preview_id: id }, signal) {
      await session.requirePolicy(signal)
      const { operation, body } = session.take(id)
      return call(session, operation, body, signal)
    },
  }
}
