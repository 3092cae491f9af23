// Kinds that can be previewed in addition to orders. Each is recognised by one field. The rest of
// the request is the body of the operation that would place it.

import type { Plan } from '../../../core/index.ts'
import { createChaseBody, createIcebergBody } from '../../../protocol/schemas/algos.ts'
import { createOcoBody, createStopBody } from '../../../protocol/schemas/order-requests.ts'
import type { previewRequest } from '../../../protocol/schemas/order-rows.ts'
import type { Static, TSchema } from '../../../protocol/schemas/typebox.ts'
import { placeChaseOf, placeIcebergOf } from '../algos/resting-commands.ts'
import { closedCheckOf } from '../body-check.ts'
import { placeOcoOf } from '../orders/oco-command.ts'
import { placeStopOf } from '../orders/order-commands.ts'
import type { Principal } from '../principal.ts'

type Request = Static<typeof previewRequest>
type Prepared = Readonly<{ command: Plan; clientOrderId?: string | null }>
export type PlanKind = Readonly<{
  isRequested(request: Request): boolean
  schema: TSchema
  /** Whether the kind has reduce-only, which a preview may omit. The legs of an OCO have their
   *  own. */
  reduces: boolean
  prepare(principal: Principal, body: never): Prepared
}>

const planKinds: readonly PlanKind[] = [
  {
    isRequested: ({ legs }) => legs != null,
    schema: createOcoBody,
    reduces: false,
    prepare: placeOcoOf,
  },
  {
    isRequested: ({ stop_order }) => stop_order != null,
    schema: createStopBody,
    reduces: true,
    prepare: placeStopOf,
  },
  {
    isRequested: ({ display_amount }) => display_amount != null,
    schema: createIcebergBody,
    reduces: true,
    prepare: placeIcebergOf,
  },
  {
    isRequested: ({ chase }) => chase === true,
    schema: createChaseBody,
    reduces: true,
    prepare: placeChaseOf,
  },
]

/** Returns `null` for an order. */
export function planKindOf(request: Request): PlanKind | null {
  return planKinds.find(({ isRequested }) => isRequested(request)) ?? null
}

/** Fields that a preview may have in addition to the body that it previews. */
const ofPreview = ['account', 'agent_wallet', 'leverage', 'signature', 'timestamp', 'expiry_window']

/** Returns the body of the operation. An invalid body is rejected with the same message as by the
 *  operation. */
export function planBody({ schema, reduces, isRequested }: PlanKind, request: Request): never {
  const body: Record<string, unknown> = reduces ? { reduce_only: false } : {}
  for (const [field, value] of Object.entries(request))
    if (value != null && !ofPreview.includes(field)) body[field] = value
  if (body.chase === false || isRequested({ chase: true } as Request)) delete body.chase
  closedCheckOf(schema)(body, '')
  return body as never
}
