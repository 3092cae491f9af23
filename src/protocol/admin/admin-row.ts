// The type of a row of the admin API. It needs no schemas at runtime, so that a browser can load
// it.

import type { TSchema } from '../schemas/typebox.ts'

/** Permissions of a token. */
export const adminScopes = ['read', 'markets', 'accounts', 'money', 'prices', 'operate'] as const
export type AdminScope = (typeof adminScopes)[number]

export type AdminRow = Readonly<{
  http: `${'GET' | 'POST'} /${string}`
  /** `null`: any token suffices. */
  scope: AdminScope | null
  summary: string
  /** Schema of the query (GET), or of the body without its reason (POST). */
  request: TSchema
  reply: TSchema
}>
export type AdminRows = Readonly<Record<string, AdminRow>>

/** Whether the body needs a reason. Reads need none. Prices need none either, because a machine
 *  pushes them every few seconds and the reason would always be the same. */
export const needsReason = ({ http, scope }: Pick<AdminRow, 'http' | 'scope'>): boolean =>
  http.startsWith('POST') && scope !== 'prices' && scope !== 'read'
