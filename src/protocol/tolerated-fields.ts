// Fields that no request defines but that are accepted, because existing clients send them and
// ignoring them is safe. Any other unknown field is rejected by name. Tolerated fields are part of
// the signed text.

import { type RouteName, signedNames } from './routes.ts'
import { clientOrderId, optional } from './schemas/field-types.ts'
import { signingFields } from './schemas/signing-fields.ts'
import { type TSchema, Type } from './schemas/typebox.ts'

export type ToleratedField = Readonly<{
  field: string
  /** Requests that may have the field. */
  of: readonly RouteName[]
  /** Clients that send the field. */
  sentBy: string
  /** Effect of the field. */
  meaning: string
  schema: TSchema
  /** Returns why this body may not have the field; absent if every body may. */
  problemIn?: (body: Readonly<Record<string, unknown>>) => string | null
}>

export const toleratedFields: readonly ToleratedField[] = [
  {
    field: 'builder_code',
    of: [...signedNames, 'preview_order'],
    sentBy: 'ccxt with stops, market orders and TP/SL; SDKs with every order',
    meaning: 'nothing: there are no builders, and no builder fee is charged',
    schema: optional(Type.String({ maxLength: 64, description: 'Not used' })),
  },
  {
    field: 'client_order_id',
    of: ['set_position_tpsl'],
    sentBy: 'ccxt, with the one level that it sets',
    meaning: 'the id of that level; refused with none, with two, and if the level has its own',
    schema: optional(clientOrderId),
    problemIn: outsideLevels,
  },
  ...(['signature', 'timestamp', 'expiry_window', 'agent_wallet', 'venue'] as const).map(
    (field): ToleratedField => ({
      field,
      of: ['preview_order'],
      sentBy: 'clients that preview a body exactly as they will send it',
      meaning: 'nothing: a preview is not signed',
      schema: optional(signingFields[field]),
    }),
  ),
]

function outsideLevels(body: Readonly<Record<string, unknown>>): string | null {
  if (body.client_order_id == null) return null
  const levels = [body.take_profit, body.stop_loss].flat().filter((level) => level != null)
  const [only] = levels as readonly { client_order_id?: unknown }[]
  if (levels.length === 1 && only!.client_order_id == null) return null
  return (
    'client_order_id outside the levels needs exactly one level without its own; ' +
    'give each level its own client_order_id instead'
  )
}

export function toleratedOf(name: string): readonly ToleratedField[] {
  return toleratedFields.filter(({ of }) => of.some((each) => each === name))
}
