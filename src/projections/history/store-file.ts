// Where the history store lies in a data folder, and what it keeps: the same for whoever opens it.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { tapeLength } from '../market-day.ts'
import type { Retention } from './projection.ts'

/** Stores are told apart by this: one of another kind of exchange is not gone on with. */
export const storeOwner = 'openperp'
const tradesKept = 50_000
const pruneEvery = 4_096

export function storeFile(folder: string): string {
  return join(folder, 'history.db')
}

/** It can be made again from the journal. */
export function deleteStore(folder: string): void {
  deleteStoreFile(storeFile(folder))
}

export function deleteStoreFile(file: string): void {
  if (file === ':memory:') return
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
}

export type Keep = Readonly<{
  /** Accounts of which only the newest rows are kept. */
  churn?: Readonly<{ addresses: readonly string[]; keepRows: number }>
  /** Newest trades kept of each market's tape. */
  tradesKept?: number
}>

export function retentionOf({ churn, tradesKept: trades = tradesKept }: Keep): Retention {
  return {
    churn: new Set(churn?.addresses),
    churnRows: churn?.keepRows ?? 1,
    trades: Math.max(trades, tapeLength),
    every: pruneEvery,
  }
}
