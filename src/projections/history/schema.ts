// Tables of the history store, in one place. The fingerprint covers them and every list of words
// whose places are stored: a store with another one is deleted and rebuilt from the journal, so
// there are no migrations.
//
// A rowid is the last column of every index, so an index on `account` serves "the rows of this
// account below that id" with one seek. Rows of fills, orders and events come in rising order of
// their ids: the tables only ever grow at their end, and their pages are full.

import { createHash } from 'node:crypto'
import type { Table } from './rows/table.ts'
import { algoEvents, algos } from './schema/algo-table.ts'
import { balances } from './schema/balance-table.ts'
import { fillCounts, fills } from './schema/fill-table.ts'
import { fundingPayments, fundingRates } from './schema/funding-table.ts'
import { bars, savedBars, trades } from './schema/market-table.ts'
import { orderEvents, orderReleases, orders } from './schema/order-table.ts'
import { payments } from './schema/payment-table.ts'
import { accounts, operatorActions, progress, snapshots } from './schema/store-table.ts'

/** To be increased when rows change their meaning without a change of the schema. */
const version = 5

export const tables: readonly Table[] = [
  ...[progress, snapshots, accounts, operatorActions],
  ...[fills, fillCounts, orders, orderEvents, orderReleases, algos, algoEvents],
  ...[trades, bars, savedBars, fundingRates, fundingPayments, balances],
  payments,
]

export const schema = tables.map(({ create }) => create).join('')

const words = tables.map(({ columns }) => Object.values(columns).map(({ kind }) => kind.words))

export const fingerprint = createHash('sha256')
  .update(JSON.stringify([version, schema, words]))
  .digest('hex')
