// The way to the store for who has a cluster configured. The driver is loaded here and then, never
// by an exchange that keeps its journal in its folder; an installed package may not even have it.

import type { FrameStore } from '../store/frame-store.ts'
import { StoreFault } from '../store/store-fault.ts'
import type { PostgresStoreOptions } from './postgres-store.ts'

export async function openPostgresStore(options: PostgresStoreOptions): Promise<FrameStore> {
  const { PostgresStore } = await import('./postgres-store.ts').catch((error) => {
    throw missingDriver(error as NodeJS.ErrnoException)
  })
  return PostgresStore.open(options)
}

function missingDriver(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes("'pg'")) return error
  const text = 'a cluster needs the driver of PostgreSQL beside openperp: npm install pg@8'
  return new StoreFault('STORE_REFUSED', text, error)
}
