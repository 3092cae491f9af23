// The machines of a connection string. As in libpq, several may be listed, one of which is the
// primary: `postgres://user:password@a,b:6432,c/openperp`. Messages never contain its secrets.

import { StoreFault } from '../store/store-fault.ts'

export type Host = Readonly<{
  /** Display name. */
  name: string
  /** Connection string of this machine alone. */
  url: string
}>

const shape = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(\/[^/?#]+(?:\?[^#]*)?)$/

export function hostsOf(connectionString: string): readonly Host[] {
  const [, before, list, behind] = shape.exec(connectionString) ?? []
  const hosts = (list ?? '').split(',')
  if (hosts.some((host) => !isAddress(host)))
    throw new StoreFault(
      'STORE_UNREACHABLE',
      'the connection string of the store cannot be read: it has to be ' +
        'postgres://user:password@host:port,host:port/database, with one host or several and the ' +
        'name of the database; what is special in a password is written as %40 for @, %2F for /',
    )
  return hosts.map((host) => ({ name: decodeURIComponent(host), url: before + host + behind }))
}

const address = /^(?:\[[\da-f:.]+\]|[\w.%-]+?)(?::(\d{1,5}))?$/i

function isAddress(host: string): boolean {
  const found = address.exec(host)
  if (found === null) return false
  const port = Number(found[1] ?? 5_432)
  if (port < 1 || port > 65_535) return false
  try {
    decodeURIComponent(host)
    return true
  } catch {
    // The string contains a % that does not encode a character.
    return false
  }
}
