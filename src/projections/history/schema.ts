// All tables of the history store. The fingerprint covers the tables and all word lists whose
// indexes are stored. A store with another fingerprint is deleted and rebuilt from the journal, so
// that no migrations are needed.
//
// The rowid is the last column of every index, so that an index on `account` finds "the rows of
// this account below that id" with one seek. Rows of fills, orders and events are inserted in
// rising order of their ids, so that tables only grow at the end and their pages are full.

import { createHash } from 'node:crypto'
import type { Table } from './rows/table.ts'
import { algoEvents, algos } from './schema/algo-table.ts'
import { balances } from './schema/balance-table.ts'
import { fillCounts, fills, liquidationStarts } from './schema/fill-table.ts'
import { fundingPayments, fundingRates } from './schema/funding-table.ts'
import { bars, savedBars, trades } from './schema/market-table.ts'
import { orderEvents, orderReleases, orders } from './schema/order-table.ts'
import { payments } from './schema/payment-table.ts'
import { accounts, operatorActions, progress, snapshots } from './schema/store-table.ts'

/** Must be increased when the meaning of rows changes without a change of the schema. */
const version = 5

export const tables: readonly Table[] = [
  ...[progress, snapshots, accounts, operatorActions],
  ...[fills, fillCounts, liquidationStarts, orders, orderEvents, orderReleases, algos, algoEvents],
  ...[trades, bars, savedBars, fundingRates, fundingPayments, balances],
  payments,
]

export const schema = tables.map(({ create }) => create).join('')

const words = tables.map(({ columns }) => Object.values(columns).map(({ kind }) => kind.words))

export const fingerprint = createHash('sha256')
  .update(JSON.stringify([version, schema, words]))
  .digest('hex')
