// Finds the funding payment with an id of the API. The store assigns these ids and events do not
// contain them, so that only the store knows them if the beginning of the journal was removed.
// Opened read-only while the writer runs.

import { existsSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { pick, type Selected, select } from './rows/select.ts'
import { fundingPayments } from './schema/funding-table.ts'
import { progress } from './schema/store-table.ts'
import { fingerprint } from './schema.ts'

const columns = pick(fundingPayments, 'account', 'market', 'epoch')
export type StoredPayment = Readonly<Selected<typeof columns>>

/** Returns `null` if no store can be read, or if it has no such payment. */
export function storedPayment(file: string, id: number): StoredPayment | null {
  if (!existsSync(file)) return null
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const made = select(database, pick(progress, 'fingerprint'), 'FROM progress').get()
    if (made?.fingerprint !== fingerprint) return null
    return select(database, columns, 'FROM funding_payments WHERE id = ?').get(id) ?? null
  } catch {
    // Not a store of this program, or a damaged one. The caller counts payments itself.
    return null
  } finally {
    database.close()
  }
}
