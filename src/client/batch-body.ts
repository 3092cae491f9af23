// The body of a batch: one signature for all of its actions, or one for each.

import { batchActions, batchActionTypes } from '../protocol/batch-actions.ts'
import { routes } from '../protocol/routes.ts'
import type { SigningType } from '../protocol/signing-types.ts'
import { withOrderId } from './failover/order-ids.ts'
import type { BatchAction, FieldsOf } from './methods.ts'
import type { Fields } from './requests.ts'

type Route = Readonly<{ name: string; ownerOnly: boolean }>
type Sign = (route: Route, type: SigningType, fields: Fields) => Promise<Fields>

const batchRoute = { name: 'batch_orders', ownerOnly: false } as const
const unknownAction = (type: string) =>
  `${type} is not an action of a batch; actions: ${batchActionTypes.join(', ')}`

/** `several`: the exchange has several addresses, and orders get an id to be found by. */
export async function batchBody(
  { actions, together = false, ...rest }: FieldsOf<'batch_orders'>,
  several: boolean,
  signed: Sign,
): Promise<Fields> {
  if (!Array.isArray(actions)) throw new Error('batch_orders needs actions, a list')
  if (together)
    return signed(batchRoute, 'batch_orders', { ...rest, actions: named(actions, several) })
  const each = actions.map(async ({ type, data }: BatchAction) => {
    if (type === 'Quote') throw new Error('a Quote needs one signature: together: true')
    const name = batchActions[type]
    if (name === undefined) throw new Error(unknownAction(type))
    return { type, data: await signed(routes[name], name, data as Fields) }
  })
  return { actions: await Promise.all(each) }
}

function named(actions: readonly BatchAction[], several: boolean): readonly Fields[] {
  if (!several) return actions
  return actions.map(({ type, data }) => ({
    type,
    data: type === 'Quote' ? data : withOrderId(batchActions[type], data as Fields),
  }))
}
