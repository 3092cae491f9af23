// The operations in the format that clients of the public API expect. The contract's own endpoints,
// which are bare at `/api/v1`, are enveloped like all others, and rejections by rules are 422 with
// their code.

import { nothing } from '../../protocol/schemas/field-types.ts'
import { type TSchema, Type } from '../../protocol/schemas/typebox.ts'
import type { Call, Operation, UnsignedOperation } from '../operation.ts'
import { cancelOrder } from '../operations/contract/cancel-order.ts'
import { getCcxtPositions } from '../operations/contract/get-ccxt-positions.ts'
import { getPositions } from '../operations/contract/get-positions.ts'
import { createApiKey } from '../operations/contract/key-operations.ts'
import { setPositionTpsl } from '../operations/contract/set-position-tpsl.ts'
import { batchOrders, batchProfitOrders } from '../operations/orders/batch-orders.ts'
import { createProfitStop, createStop } from '../operations/orders/create-stop.ts'

/** The content of the envelope for an operation whose reply is otherwise bare. */
type InEnvelope = Readonly<{ reply: TSchema; dataOf(reply: never): unknown }>

const done: InEnvelope = { reply: nothing, dataOf: () => null }

const inEnvelope: ReadonlyMap<Operation, InEnvelope> = new Map<Operation, InEnvelope>([
  [cancelOrder, done],
  [setPositionTpsl, done],
  [
    createApiKey,
    {
      reply: Type.Object({ api_key: Type.String({ description: 'The key' }) }),
      dataOf: ({ data }: { data: unknown }) => data,
    },
  ],
])

/** Operations that are replaced for these clients. */
const others: ReadonlyMap<Operation, Operation> = new Map<Operation, Operation>([
  [getPositions, getCcxtPositions],
  [createStop, createProfitStop],
  [batchOrders, batchProfitOrders],
])

export function forExistingClients(operation: Operation): Operation {
  const other = others.get(operation)
  if (other !== undefined) return other
  const refused = operation.refusals === 'contract' ? { refusals: 'rules' as const } : {}
  const enveloped = operation.wraps === 'bare' ? { wraps: 'envelope' as const } : {}
  const bare = inEnvelope.get(operation)
  if (bare === undefined) return { ...operation, ...refused, ...enveloped }
  const { reply, dataOf } = bare
  const handle = async (call: Call<never>) =>
    dataOf((await (operation as UnsignedOperation).handle(call)) as never)
  return { ...operation, ...refused, ...enveloped, reply, handle } as Operation
}
