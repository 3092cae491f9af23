// Which funding payment an id of the API means. Events do not carry that number: the store counts
// payments, and so it alone knows when the journal's beginning is gone. Read beside whoever writes
// it, and never changed.

import { existsSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { prepare } from './projection.ts'
import { fingerprint } from './schema.ts'

export type StoredPayment = Readonly<{ account: number; market: number; epoch: number }>

/** Null: there is no store that can be read, or it has no such payment. */
export function storedPayment(file: string, id: number): StoredPayment | null {
  if (!existsSync(file)) return null
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const made = prepare(database, 'SELECT 1 FROM progress WHERE fingerprint = ?')
    if (made.get(fingerprint) === undefined) return null
    const one = 'SELECT account, market, epoch FROM funding_payments WHERE id = ?'
    const [account, market, epoch] = (prepare(database, one).get(id) ?? []) as unknown as number[]
    if (account === undefined) return null
    return { account, market: market!, epoch: epoch! }
  } catch {
    // Not a store of ours, or a torn one: whoever asks counts for himself.
    return null
  } finally {
    database.close()
  }
}
