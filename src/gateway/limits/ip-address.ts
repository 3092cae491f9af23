// The canonical text of IP addresses, so that they can be compared. IPv4 has four numbers, even if
// mapped into IPv6. IPv6 is in lower case, with its longest run of zeros shortened (RFC 5952) and
// without zone.

import { isIP } from 'node:net'

/** Returns `null` if the text is not an IP address. */
export function canonicalIp(text: string): string | null {
  const version = isIP(text)
  if (version === 4) return text
  if (version === 0) return null
  const groups = groupsOf(text)
  return mappedIpv4(groups) ?? formatIpv6(groups)
}

/** The key of a rate limit: for IPv4 the address, for IPv6 the /64 prefix, because one client
 *  usually has all addresses of a prefix. Expects a canonical address. */
export function limitKeyOf(ip: string): string {
  if (!ip.includes(':')) return ip
  const network = groupsOf(ip).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** The eight groups of a valid address; IPv4 is mapped into IPv6. */
export function groupsOf(text: string): readonly number[] {
  if (!text.includes(':')) return [0, 0, 0, 0, 0, 0xffff, ...dottedGroups(text)]
  const address = text.replace(/%.*$/, '').replace(/[\d.]+\.[\d.]+$/, asGroups)
  const [head, tail] = address.split('::') as [string, string | undefined]
  const before = parseGroups(head)
  if (tail === undefined) return before
  const after = parseGroups(tail)
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}

const parseGroups = (text: string) =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))

/** `1.2.3.4` as two groups. */
function dottedGroups(dotted: string): readonly [number, number] {
  const [a, b, c, d] = dotted.split('.').map((part) => Number.parseInt(part, 10))
  return [a! * 256 + b!, c! * 256 + d!]
}

/** The dotted end of `::ffff:1.2.3.4` in hexadecimal. */
const asGroups = (dotted: string) =>
  dottedGroups(dotted)
    .map((group) => group.toString(16))
    .join(':')

function mappedIpv4(groups: readonly number[]): string | null {
  if (groups[5] !== 0xffff || groups.slice(0, 5).some((group) => group !== 0)) return null
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

function formatIpv6(groups: readonly number[]): string {
  let longest = { at: -1, length: 1 }
  for (let at = 0; at < 8; at++) {
    let length = 0
    while (groups[at + length] === 0) length++
    if (length > longest.length) longest = { at, length }
  }
  const write = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':')
  if (longest.at < 0) return write(groups)
  const after = groups.slice(longest.at + longest.length)
  return `${write(groups.slice(0, longest.at))}::${write(after)}`
}
