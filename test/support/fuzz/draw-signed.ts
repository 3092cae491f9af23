// A signed request for a drawn route: a sample of its schema, signed as it is.

import type { Key } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import type { Operation } from '../../../src/gateway/operation.ts'
import { apiOperations } from '../../../src/gateway/routes/all-operations.ts'
import { routes } from '../../../src/protocol/routes.ts'
import type { Random } from '../../programs/differential/random.ts'
import { type FuzzWorld, makeBatch, signSubaccount } from './draw-request.ts'
import { type Schema, sampleOf } from './sample.ts'

export type SignedDraw = Readonly<{ name: string; path: string; body: Row }>
type Row = Record<string, unknown>

const byItself = new Set(['batch_orders', 'create_subaccount'])
const signedOperations = apiOperations('sandbox').filter(
  ({ signs, name }) => signs !== null || byItself.has(name),
)

export type SignedWorld = FuzzWorld &
  Readonly<{
    /** The key that is bound to an account as its agent. */
    agentOf: ReadonlyMap<Key, Key>
  }>

export async function drawSigned(world: SignedWorld, random: Random): Promise<SignedDraw> {
  const operation = random.pick(signedOperations)
  const sample = sampleOf(operation.request as Schema, world, random) as Row
  const body = await bodyOf(operation, sample, world, random)
  const [, path] = operation.http.split(' ') as [string, string]
  return { name: operation.name, path: `/api/v1${path}`, body }
}

async function bodyOf(
  { name, signs }: Operation,
  sample: Row,
  world: SignedWorld,
  random: Random,
): Promise<Row> {
  if (name === 'batch_orders') await makeBatch(sample, world, random)
  if (name === 'create_subaccount') await signSubaccount(sample, world, random)
  if (signs === null) return sample
  const { venue } = world
  const key = random.pick(world.keys)
  const mayAgent = !routes[signs as keyof typeof routes].ownerOnly && random.chance(0.2)
  const agent = mayAgent ? world.agentOf.get(key) : undefined
  const timestamp = Date.now() - random.below(5_000)
  return signedBody(key, sample, { type: signs, timestamp, agent, venue })
}
