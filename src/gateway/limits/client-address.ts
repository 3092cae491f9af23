// The client address of a request. Proxies that the operator trusts name the client they forward
// for; the header is ignored from anyone else. It is read from the right, where our own proxies
// append: the first address that is not a trusted proxy is the client.

import { BlockList, isIP } from 'node:net'
import { canonicalIp } from './ip-address.ts'

/** Address of a closed socket, which has none; all closed sockets share it. */
const noAddress = '0.0.0.0'
const forwardedMax = 32

export type TrustedProxies = Readonly<{ has(ip: string): boolean }>

/** A list entry that is neither an address nor a network; the operator has to correct it. */
export class ProxyListError extends Error {}

/** `10.0.0.0/8`, `::1`, `192.0.2.7`. IPv4 also matches when mapped into IPv6. */
export function parseTrustedProxies(entries: readonly string[]): TrustedProxies {
  const networks = new BlockList()
  for (const entry of entries) addNetwork(networks, entry.trim())
  // Most have no proxy, and the check costs some microseconds.
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
  /** Header `x-forwarded-for`, one or several. */
  forwardedFor: string | readonly string[] | undefined
}>

/** The client's canonical address; `limitKeyOf` derives the key of limits from it. */
export function clientAddress(connection: Connection, trusted: TrustedProxies): string {
  let client = canonicalIp(connection.socketAddress ?? noAddress) ?? noAddress
  const { forwardedFor } = connection
  if (forwardedFor === undefined || !trusted.has(client)) return client
  const hops = String(forwardedFor).split(',').slice(-forwardedMax)
  for (const hop of hops.reverse()) {
    const address = canonicalIp(withoutPort(hop.trim()))
    // Not an address: the proxy that passed it on is the last known one.
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
