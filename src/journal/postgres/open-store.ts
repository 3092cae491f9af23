// The way to the store for who has a cluster configured. The driver is loaded here and then, never
// by an exchange that keeps its journal in its folder; an installed package may not even have it.

import type { FrameStore } from '../store/frame-store.ts'
import type { ClusterStatus } from '../store/node-news.ts'
import { StoreFault } from '../store/store-fault.ts'
import type { Finding } from './doctor.ts'
import type { PostgresStoreOptions } from './postgres-store.ts'

export type { Finding } from './doctor.ts'

export async function openPostgresStore(options: PostgresStoreOptions): Promise<FrameStore> {
  const { PostgresStore } = await import('./postgres-store.ts').catch(explained)
  return PostgresStore.open(options)
}

/** What of its machines is as it must be, and what is not. */
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
