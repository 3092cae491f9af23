// The operations of an embedded exchange, by their paths in a service. They are created once and
// shared by all exchanges.

import { Origins } from '../../gateway/access/origins.ts'
import type { Operation } from '../../gateway/operation.ts'
import { apiOperations, ccxtOperations } from '../../gateway/routes/all-operations.ts'
import { pathField } from '../../protocol/routes.ts'

export const embeddedHost = 'openperp.localhost'
export const embeddedUrl = `http://${embeddedHost}`

/** Access for calls within the process, and for pages of this machine. */
export const embeddedAccess = {
  origins: new Origins({ allowedOrigins: [], allowedHosts: [] }),
  sandbox: { allowedHosts: [embeddedHost], token: '', needsToken: false },
} as const

export const mounts = [
  { prefix: '/api/v1', operations: apiOperations('sandbox') },
  { prefix: '/ccxt/api/v1', operations: ccxtOperations('sandbox') },
] as const

export type Routes = Readonly<{
  gets: ReadonlyMap<string, Operation>
  posts: ReadonlyMap<string, Operation>
}>

export const routes: Routes = {
  gets: pathsOf('GET'),
  posts: pathsOf('POST'),
}

function pathsOf(wanted: string): ReadonlyMap<string, Operation> {
  const paths = new Map<string, Operation>()
  for (const { prefix, operations } of mounts)
    for (const operation of operations) {
      const [method, path] = operation.http.split(' ') as [string, string]
      // The server finds the field that is part of a path.
      if (method === wanted && pathField(path) === null) paths.set(prefix + path, operation)
    }
  return paths
}
