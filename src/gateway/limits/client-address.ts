// Finds the client address of a request. Proxies that the operator trusts name the client that they
// forward for; the header is ignored from any other sender. The header is read from the right,
// where trusted proxies append: the first address that is not a trusted proxy is the client.

import { BlockList, isIP } from 'node:net'
import { canonicalIp } from './ip-address.ts'

/** Address of closed sockets, which no longer have their own. */
const noAddress = '0.0.0.0'
const forwardedMax = 32

export type TrustedProxies = Readonly<{ has(ip: string): boolean }>

/** Thrown for a list entry that is neither an address nor a network. */
export class ProxyListError extends Error {}

/** Accepts for example `10.0.0.0/8`, `::1`, `192.0.2.7`. IPv4 entries also match IPv4-mapped IPv6
 *  addresses. */
export function parseTrustedProxies(entries: readonly string[]): TrustedProxies {
  const networks = new BlockList()
  for (const entry of entries) addNetwork(networks, entry.trim())
  // Most exchanges have no proxy, and the check costs some microseconds.
  if (entries.length === 0) return { has: () => false }
  return { has: (ip) => networks.check(ip, isIP(ip) === 4 ? 'ipv4' : 'ipv6') }
}

function addNetwork(networks: BlockList, entry: string): void {
  const [address, bits, ...more] = entry.split('/') as [string, string?, ...string[]]
  const version = isIP(address)
  const width = version === 4 ? 32 : 128
  const length =
    bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number.parseInt(bits, 10) : -1
  if (version === 0 || more.length > 0 || length < 0 || length > width) {
    throw new ProxyListError(`'${entry}' is neither an IP address nor a network like 10.0.0.0/8`)
  }
  networks.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6')
}

export type Connection = Readonly<{
  /** `socket.remoteAddress`. */
  socketAddress: string | undefined
  /** The header `x-forwarded-for`, once or several times. */
  forwardedFor: string | readonly string[] | undefined
}>

/** The canonical address of the client. `limitKeyOf` derives the key of rate limits from it. */
export function clientAddress(connection: Connection, trusted: TrustedProxies): string {
  let client = canonicalIp(connection.socketAddress ?? noAddress) ?? noAddress
  const { forwardedFor } = connection
  if (forwardedFor === undefined || !trusted.has(client)) return client
  const hops = String(forwardedFor).split(',').slice(-forwardedMax)
  for (const hop of hops.reverse()) {
    const address = canonicalIp(withoutPort(hop.trim()))
    // The entry is not an address, so that the proxy that added it is the last known client.
    if (address === null) return client
    client = address
    if (!trusted.has(client)) return client
  }
  return client
}

/** Some proxies write `1.2.3.4:5678` or `[::1]:5678`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(hop)
  if (bracketed !== null) return bracketed[1]!
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop
}
