// The driver of a cluster's database is loaded only with a cluster: outside its folder, only the
// file that loads it on demand imports it.

import { posix } from 'node:path'
import { importsOf } from './scan-source.ts'

const driver = { package: 'pg', folder: 'src/journal/postgres', door: 'open-store.ts' }

export function driverFaultsIn(path: string, text: string): readonly string[] {
  if (posix.dirname(path) === driver.folder) return []
  return importsOf(text)
    .filter(({ specifier }) => {
      const target = posix.join(posix.dirname(path), specifier)
      const inside = posix.dirname(target) === driver.folder
      return specifier === driver.package || (inside && posix.basename(target) !== driver.door)
    })
    .map(({ line }) => `${path}:${line}: the driver is reached by ${driver.door} only`)
}
