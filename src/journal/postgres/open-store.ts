// Opens the store if a cluster is configured. The driver is loaded only then, because an exchange
// with a journal in its folder must work without it.

import type { ClusterStatus } from '../store/node-news.ts'
import type { AdoptingStore, LeavingStore } from '../store/stage.ts'
import { StoreFault } from '../store/store-fault.ts'
import type { AdoptingOptions } from './adopting-postgres.ts'
import type { Finding } from './doctor.ts'
import type { PostgresStoreOptions } from './postgres-store.ts'

export type { Finding } from './doctor.ts'

export async function openPostgresStore(options: PostgresStoreOptions): Promise<LeavingStore> {
  const { PostgresStore } = await import('./postgres-store.ts').catch(explained)
  return PostgresStore.open(options)
}

export async function openAdoptingStore(options: AdoptingOptions): Promise<AdoptingStore> {
  const { AdoptingPostgres } = await import('./adopting-postgres.ts').catch(explained)
  return AdoptingPostgres.open(options)
}

/** Findings of `openperp cluster doctor`. */
export async function examinePostgres(connectionString: string): Promise<readonly Finding[]> {
  const { examineStore } = await import('./doctor.ts').catch(explained)
  return examineStore(connectionString)
}

export async function readPostgresStatus(connectionString: string): Promise<ClusterStatus> {
  const { readStatus } = await import('./cluster-status.ts').catch(explained)
  return readStatus(connectionString)
}

export async function askPostgresLeader(connectionString: string, term: number): Promise<void> {
  const { askToStepDown } = await import('./cluster-status.ts').catch(explained)
  return askToStepDown(connectionString, term)
}

function explained(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes("'pg'")) throw error
  const text = 'a cluster needs the PostgreSQL driver: npm install pg@8'
  throw new StoreFault('STORE_REFUSED', text, error)
}
