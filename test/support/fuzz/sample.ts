// A request that fits the schema of an operation, with values that mean something on the exchange
// where the name of a field says which.

import type { Random } from '../../programs/differential/random.ts'

export type Schema = Readonly<{
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  minItems?: number
  minimum?: number
  maximum?: number
  pattern?: string
}>

/** What requests may speak of. */
export type World = Readonly<{
  symbols: readonly string[]
  addresses: readonly string[]
  /** Orders that were placed lately. */
  orderIds: readonly number[]
}>

const uuid = (random: Random) => {
  const hex = (length: number) =>
    Array.from({ length }, () => random.below(16).toString(16)).join('')
  return `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`
}

const prices = ['100000', '105000', '104999', '3500', '170.55', '0.2', '1', '40'] as const
const amounts = ['0.001', '0.01', '1', '10', '0.5', '100', '-5'] as const

const named: Readonly<Record<string, (world: World, random: Random) => unknown>> = {
  symbol: ({ symbols }, random) => random.pick(symbols),
  account: ({ addresses }, random) => random.pick(addresses),
  to_account: ({ addresses }, random) => random.pick(addresses),
  agent_wallet: ({ addresses }, random) => random.pick(addresses),
  api_agent_key: ({ addresses }, random) => random.pick(addresses),
  main_account: ({ addresses }, random) => random.pick(addresses),
  subaccount: ({ addresses }, random) => random.pick(addresses),
  backstop_address: ({ addresses }, random) => random.pick(addresses),
  order_id: ({ orderIds }, random) => random.any(orderIds) ?? random.between(1, 100),
  client_order_id: (_, random) => uuid(random),
  price: (_, random) => random.pick(prices),
  stop_price: (_, random) => random.pick(prices),
  limit_price: (_, random) => random.pick(prices),
  amount: (_, random) => random.pick(amounts),
  slippage_percent: (_, random) => random.pick(['0.5', '1', '5', '100']),
  leverage: (_, random) => random.between(1, 50),
  ip_address: (_, random) => random.pick(['127.0.0.1', '::1', '10.0.0.1']),
  time: (_, random) => Date.now() + random.between(-10_000, 60_000),
  timestamp: () => Date.now(),
  expiry_window: () => 30_000,
  // Null is none; what signs puts its own.
  venue: () => null,
  cursor: () => Buffer.from('orders 5').toString('base64url'),
  // A long advance is legitimate work, not a hang.
  advance_ms: (_, random) => random.between(1, 20_000),
  reason: () => 'fuzz',
}

export function sampleOf(schema: Schema, world: World, random: Random, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return random.pick(schema.enum)
  const known = named[name]
  if (known !== undefined && schema.type !== 'object') return known(world, random)
  if (schema.anyOf !== undefined) return sampleOf(random.pick(schema.anyOf), world, random, name)
  switch (schema.type) {
    case 'object':
      return objectOf(schema, world, random)
    case 'array': {
      const count = random.between(schema.minItems ?? 0, 3)
      return Array.from({ length: count }, () => sampleOf(schema.items!, world, random, name))
    }
    case 'integer':
      return random.between(schema.minimum ?? 0, Math.min(schema.maximum ?? 1_000, 1_000_000))
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    default:
      return textOf(schema, random)
  }
}

function objectOf({ properties = {}, required = [] }: Schema, world: World, random: Random) {
  const fields = Object.entries(properties).filter(
    ([name]) => required.includes(name) || random.chance(0.5),
  )
  return Object.fromEntries(
    fields.map(([name, schema]) => [name, sampleOf(schema, world, random, name)]),
  )
}

function textOf({ pattern }: Schema, random: Random): string {
  if (pattern?.includes('[1-9][0-9]*') === true)
    return random.pick(['0', '1', '10', '0.5', '1000', '99.99'])
  return random.pick(['A', 'abc', 'test-1', 'abcdefgh', '0123456789abcdef'])
}
