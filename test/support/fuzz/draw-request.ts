// One request for a drawn route: a sample of its schema, most of them malformed, most of them
// signed or with a token, so that they pass authentication.

import type { Key } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import { adminOperations } from '../../../src/gateway/admin/admin-operations.ts'
import type { Operation } from '../../../src/gateway/operation.ts'
import { apiOperations, ccxtOperations } from '../../../src/gateway/routes/all-operations.ts'
import {
  cancelAllBody,
  createMarketOrderBody,
  createOrderBody,
  createStopBody,
  editOrderBody,
  orderRefBody,
  tpslBody,
} from '../../../src/protocol/schemas/order-requests.ts'
import {
  subaccountConfirmText,
  subaccountInitiateText,
} from '../../../src/protocol/signing-text.ts'
import type { SigningType } from '../../../src/protocol/signing-types.ts'
import type { Random } from '../../programs/differential/random.ts'
import { type Schema, sampleOf, type World } from './sample.ts'
import { malformedQuery, malformedText, malformedValue } from './spoil.ts'

export type Drawn = Readonly<{
  plane: 'public' | 'admin'
  method: string
  path: string
  body: string | null
  headers: Readonly<Record<string, string>>
}>

type Fields = Record<string, unknown>
type Action = Readonly<{ type: string; data: Fields }>
export type FuzzWorld = World &
  Readonly<{
    keys: readonly Key[]
    token: string
    /** What signed texts name; absent: no venue. */
    venue?: string
  }>

const operations: readonly Readonly<{ prefix: string; operation: Operation }>[] = [
  ...apiOperations('sandbox').map((operation) => ({ prefix: '/api/v1', operation })),
  ...ccxtOperations('sandbox').map((operation) => ({ prefix: '/ccxt/api/v1', operation })),
]

const others = ['/', '/health', '/ready', '/metrics', '/openapi.json', '/docs', '/api/v1', '/ccxt']
const strangePaths = ['/api/v1/nope', '//', '/%', '/%zz', '/../etc', '/api/v1/orders/create/', '/*']
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']
const types = ['application/json', 'application/json; charset=utf-8', 'text/plain', 'x', '', '/;=']

const batchKinds: readonly (readonly [string, unknown, SigningType])[] = [
  ['Create', createOrderBody, 'create_order'],
  ['CreateMarket', createMarketOrderBody, 'create_market_order'],
  ['Cancel', orderRefBody, 'cancel_order'],
  ['Edit', editOrderBody, 'edit_order'],
  ['SetPositionTpsl', tpslBody, 'set_position_tpsl'],
  ['CancelStopOrder', orderRefBody, 'cancel_stop_order'],
  ['CreateStop', createStopBody, 'create_stop_order'],
  ['CancelAll', cancelAllBody, 'cancel_all_orders'],
]

/** Slow by their nature, or with a lasting effect: drawn rarely. */
const seldom = new Set([
  ...['sandbox_snapshot', 'sandbox_revert', 'sandbox_set_clock', 'sandbox_reset'],
  ...['sandbox_drop_connections', 'get_metrics'],
])

/** Plans that delay or lose the messages of all other requests. Those that would be accepted get a
 *  field that is not. */
const plans = new Set(['sandbox_latency', 'sandbox_faults'])
const refusedPlan = (text: string) =>
  text.replace(/\s*\}\s*$/, `${/^\s*\{\s*\}\s*$/.test(text) ? '' : ','}"unknown":1}`)

const seldomDone = new Set(['/backup', '/exchange/mode', '/markets/settle', '/markets/list'])

/** Starts two processes, which takes as long as hundreds of other requests. */
const never = 'sandbox_fork'

export async function drawRequest(world: FuzzWorld, random: Random): Promise<Drawn> {
  const where = random.weighted({ operation: 85, admin: 10, other: 5 })
  if (where === 'other') return drawOther(random)
  if (where === 'admin') return drawAdmin(world, random)
  const { prefix, operation } = random.pick(operations)
  const { name } = operation
  if (name === never || (seldom.has(name) && random.chance(0.9))) return drawRequest(world, random)
  const [method, path] = operation.http.split(' ') as [string, string]
  const url = prefix + path
  if (method === 'GET') return drawRead(url, operation.request as Schema, world, random)
  const drawn = await bodyText(operation, world, random)
  const text = plans.has(operation.name) ? refusedPlan(drawn) : drawn
  const type = random.chance(0.95) ? 'application/json' : random.pick(types)
  const key = random.chance(0.05) ? { 'svc-api-key': random.pick(['x', 'abcdefgh', '']) } : {}
  const headers = { 'content-type': type, ...key }
  return { plane: 'public', method, path: url, body: text, headers }
}

function drawRead(url: string, schema: Schema, world: World, random: Random): Drawn {
  const query = queryOf(sampleOf(schema, world, random) as Fields)
  const text = random.chance(0.4) ? query.toString() : malformedQuery(query, random)
  const method = random.chance(0.97) ? 'GET' : random.pick(methods)
  return { plane: 'public', method, path: `${url}?${text}`, body: null, headers: {} }
}

function queryOf(fields: Fields): URLSearchParams {
  const pairs = Object.entries(fields).map(([name, value]): [string, string] => [name, `${value}`])
  return new URLSearchParams(pairs)
}

function drawOther(random: Random): Drawn {
  const path = random.pick([...others, ...strangePaths])
  const method = random.pick(methods)
  const body = method === 'GET' || method === 'HEAD' ? null : random.pick(['', '{}', '[', 'x'])
  const headers = body === null ? {} : { 'content-type': random.pick(types) }
  return { plane: random.pick(['public', 'admin']), method, path, body, headers }
}

function drawAdmin(world: FuzzWorld, random: Random): Drawn {
  const operation = random.pick(adminOperations)
  const [method, path] = operation.http.split(' ') as [string, string]
  const costly = seldomDone.has(path)
  // Draining has no way back but a restart, and a copy of everything takes its time.
  const trusted = path !== '/drain' && random.chance(costly ? 0.02 : 0.9)
  const authorization = trusted ? `Bearer ${world.token}` : 'Bearer of bad news'
  // A settled market cannot be reopened: only one of them.
  const known = path === '/markets/settle' ? { ...world, symbols: ['WIF'] } : world
  const fields = sampleOf(operation.request as Schema, known, random) as Fields
  const given = random.chance(0.9) ? { ...fields, reason: 'fuzz' } : fields
  const plane = 'admin'
  if (method === 'GET') {
    const query = queryOf(fields)
    const text = random.chance(0.5) ? query.toString() : malformedQuery(query, random)
    return { plane, method, path: `${path}?${text}`, body: null, headers: { authorization } }
  }
  const body = textOf(random.chance(0.4) ? given : malformedValue(given, random), random)
  return { plane, method, path, body, headers: { authorization, 'content-type': types[0]! } }
}

async function bodyText(operation: Operation, world: FuzzWorld, random: Random): Promise<string> {
  const key = random.pick(world.keys)
  const sample = sampleOf(operation.request as Schema, world, random) as Fields
  if (operation.name === 'batch_orders') await makeBatch(sample, world, random)
  if (operation.name === 'create_subaccount') await signSubaccount(sample, world, random)
  const fields = random.chance(0.45) ? sample : malformedValue(sample, random)
  const body =
    operation.signs === null
      ? fields
      : await signedOr({ ...world, keys: [key] }, fields, operation.signs, random)
  return textOf(random.chance(0.85) ? body : malformedValue(body, random), random)
}

/** As text, now and then broken. */
function textOf(body: Fields, random: Random): string {
  const text = JSON.stringify(body)
  return random.chance(0.92) ? text : malformedText(text, random)
}

/** By one of the world's keys. */
export async function signedOr(
  { keys, venue }: Pick<FuzzWorld, 'keys' | 'venue'>,
  fields: Fields,
  type: SigningType,
  random: Random,
): Promise<Fields> {
  const key = random.pick(keys)
  const timestamp = Date.now() - random.below(5_000)
  try {
    return await signedBody(key, fields, { type, timestamp, venue })
  } catch {
    // Not every value has a text that can be signed; the server must say so as well.
    const named = venue === undefined ? {} : { venue }
    const signature = '1'.repeat(64)
    return { ...fields, ...named, account: key.address, timestamp: Date.now(), signature }
  }
}

/** Each action signed, or none of them and the batch as a whole. */
export async function makeBatch(sample: Fields, world: FuzzWorld, random: Random): Promise<void> {
  const actions = await actionsOf(world, random)
  const kept = random.chance(0.5) ? { actions } : { ...sample, actions }
  for (const name of Object.keys(sample)) delete sample[name]
  if (random.chance(0.5)) {
    Object.assign(sample, kept)
    return
  }
  const bare = actions.map(({ type, data }) => ({ type, data: unsignedOf(data) }))
  Object.assign(sample, await signedOr(world, { actions: bare }, 'batch_orders', random))
}

function unsignedOf({ account, signature, timestamp, venue, ...data }: Fields): Fields {
  return data
}

async function actionsOf(world: FuzzWorld, random: Random): Promise<readonly Action[]> {
  const actions: Action[] = []
  // Most batches are of one account, as they have to be.
  const signers = random.chance(0.7) ? { ...world, keys: [random.pick(world.keys)] } : world
  for (let n = random.between(1, 4); n > 0; n--) {
    const [type, schema, signs] = random.pick(batchKinds)
    const sample = sampleOf(schema as Schema, world, random) as Fields
    const fields = random.chance(0.7) ? sample : malformedValue(sample, random)
    actions.push({ type, data: await signedOr(signers, fields, signs, random) })
  }
  return actions
}

export async function signSubaccount(
  sample: Fields,
  world: FuzzWorld,
  random: Random,
): Promise<void> {
  const [main, sub] = [random.pick(world.keys), random.pick(world.keys)]
  const { venue } = world
  const timed = { timestamp: Date.now(), ...(venue !== undefined && { venue }) }
  const sub_signature = await sub.sign(subaccountInitiateText(main.address, timed))
  const main_signature = await main.sign(subaccountConfirmText(sub_signature, timed))
  const accounts = { main_account: main.address, subaccount: sub.address }
  Object.assign(sample, { ...accounts, sub_signature, main_signature, ...timed })
}
