// A row of the admin API. Without schemas at runtime, so that a browser can load it.

import type { TSchema } from '../schemas/typebox.ts'

/** What a token may do. */
export const adminScopes = ['read', 'markets', 'accounts', 'money', 'prices', 'operate'] as const
export type AdminScope = (typeof adminScopes)[number]

export type AdminRow = Readonly<{
  http: `${'GET' | 'POST'} /${string}`
  /** `null`: any token suffices. */
  scope: AdminScope | null
  summary: string
  /** Query of a GET, body of a POST without its reason. */
  request: TSchema
  reply: TSchema
}>
export type AdminRows = Readonly<Record<string, AdminRow>>

/** Whether the body needs a reason. A price is pushed every few seconds by a machine, and its
 *  reason is always the same; a read needs none. */
export const needsReason = ({ http, scope }: Pick<AdminRow, 'http' | 'scope'>): boolean =>
  http.startsWith('POST') && scope !== 'prices' && scope !== 'read'
