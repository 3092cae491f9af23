// The admin API, declared once. The gateway validates and serves requests with it, the documents
// are generated from it, and the console and the command line take their types from it.

import { type Static, type TSchema, Type } from '../schemas/typebox.ts'
import { type AdminRow, type AdminRows, needsReason } from './admin-row.ts'
import { accountOperations } from './operations/account-operations.ts'
import { courierOperations } from './operations/courier-operations.ts'
import { depositOperations } from './operations/deposit-operations.ts'
import { incidentOperations } from './operations/incident-operations.ts'
import { marketOperations } from './operations/market-operations.ts'
import { priceOperations } from './operations/price-operations.ts'
import { processOperations } from './operations/process-operations.ts'
import { reserveOperations } from './operations/reserve-operations.ts'
import { standingOperations } from './operations/standing-operations.ts'
import { withdrawalOperations } from './operations/withdrawal-operations.ts'
import { reasonMax } from './operator-texts.ts'

export const adminApi = {
  ...standingOperations,
  ...marketOperations,
  ...depositOperations,
  ...withdrawalOperations,
  ...courierOperations,
  ...reserveOperations,
  ...accountOperations,
  ...priceOperations,
  ...incidentOperations,
  ...processOperations,
} as const satisfies AdminRows

export type AdminName = keyof typeof adminApi
export type AdminRequest<N extends AdminName> = Static<(typeof adminApi)[N]['request']>
export type AdminReply<N extends AdminName> = Static<(typeof adminApi)[N]['reply']>

const reason = Type.String({
  minLength: 1,
  maxLength: reasonMax,
  description: 'Reason, one line; the journal stores it with the name of the token',
})

/** The body of a POST: the request and its reason. */
export function adminBody(row: Pick<AdminRow, 'http' | 'scope' | 'request'>): TSchema {
  const { properties } = row.request as unknown as { properties: Record<string, TSchema> }
  return Type.Object({
    ...properties,
    reason: needsReason(row) ? reason : Type.Optional(reason),
  })
}
