// Finds the funding payment of an id of the API. Events do not contain that id: the store numbers
// payments, and so it alone knows it if the journal's beginning was removed. Opened read-only while
// the writer runs.

import { existsSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { pick, type Selected, select } from './rows/select.ts'
import { fundingPayments } from './schema/funding-table.ts'
import { progress } from './schema/store-table.ts'
import { fingerprint } from './schema.ts'

const columns = pick(fundingPayments, 'account', 'market', 'epoch')
export type StoredPayment = Readonly<Selected<typeof columns>>

/** `null` if no store can be read, or it has no such payment. */
export function storedPayment(file: string, id: number): StoredPayment | null {
  if (!existsSync(file)) return null
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const made = select(database, pick(progress, 'fingerprint'), 'FROM progress').get()
    if (made?.fingerprint !== fingerprint) return null
    return select(database, columns, 'FROM funding_payments WHERE id = ?').get(id) ?? null
  } catch {
    // Not a store of ours, or a damaged one: the caller counts by itself.
    return null
  } finally {
    database.close()
  }
}
