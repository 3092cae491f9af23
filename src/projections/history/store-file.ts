// Location of the history store in a data folder, and its retention.

import { constants, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tapeLength } from '../market-day.ts'
import type { Retention } from './projection.ts'

/** Identifies stores of this program. A store with another owner is not continued. */
export const storeOwner = 'openperp'
const tradesKept = 50_000
const pruneEvery = 4_096

export function storeFile(folder: string): string {
  return join(folder, 'history.db')
}

/** Deletes the store, which can be rebuilt from the journal. */
export function deleteStore(folder: string): void {
  deleteStoreFile(storeFile(folder))
}

export function deleteStoreFile(file: string): void {
  if (file === ':memory:') return
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
}

/** Takes the store over from another process that may be paused and have it open or locked. That
 *  process keeps the files, and copies get their names. If it was running meanwhile, or the disk
 *  is full, the store is rebuilt. */
export async function takeOverStore(folder: string): Promise<void> {
  const names = ['', '-wal'].map((ending) => storeFile(folder) + ending)
  const files = names.filter((name) => existsSync(name))
  const copyOf = (file: string) => `${file}.copy`
  const before = files.map(versionOf)
  const whole = await Promise.all(
    files.map((file) => copyFile(file, copyOf(file), constants.COPYFILE_FICLONE)),
  ).then(
    () => files.every((file, at) => versionOf(file) === before[at]),
    () => false,
  )
  deleteStore(folder)
  for (const file of files)
    if (whole) renameSync(copyOf(file), file)
    else rmSync(copyOf(file), { force: true })
}

function versionOf(file: string): string {
  const { size, mtimeNs } = statSync(file, { bigint: true })
  return `${size} ${mtimeNs}`
}

export type Keep = Readonly<{
  /** Accounts of which only the newest rows are kept. */
  churn?: Readonly<{ addresses: readonly string[]; keepRows: number }>
  /** Number of newest trades kept per market. */
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
