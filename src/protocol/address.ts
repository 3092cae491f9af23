// An address: the base58 of an Ed25519 public key. Parsing accepts 32 bytes in canonical encoding,
// except points of small order, for which anyone can forge signatures. Whether the point is on the
// curve is checked when a signature is verified, because it would cost too much here.

import { decodeBase58, encodeBase58 } from './base58.ts'

export const publicKeySize = 32

/** The prime 2^255 − 19, little-endian. */
const prime = Uint8Array.from({ length: 32 }, (_, at) =>
  at === 0 ? 0xed : at === 31 ? 0x7f : 0xff,
)

/** The y coordinates of the eight points whose order divides eight, as little-endian hexadecimal
 *  bytes. Points that differ only in the sign of x share a y coordinate. */
const smallOrderHex = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
] as const

const smallOrderYs = smallOrderHex.map((hex) =>
  Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16)),
)

function isSameY(point: Uint8Array, y: Uint8Array): boolean {
  for (let at = 0; at < 31; at++) if (point[at] !== y[at]) return false
  return (point[31]! & 0x7f) === y[31]
}

/** Whether y is below the prime. A larger y would be a second encoding of the same point. */
export function isCanonicalPoint(point: Uint8Array): boolean {
  if ((point[31]! & 0x7f) !== 0x7f) return true
  for (let at = 30; at > 0; at--) if (point[at] !== 0xff) return true
  return point[0]! < prime[0]!
}

/** Whether the point has small order. Expects a canonical encoding. */
export function isSmallOrder(point: Uint8Array): boolean {
  return smallOrderYs.some((y) => isSameY(point, y))
}

/** Whether 32 bytes are a valid public key. */
export function isPublicKey(bytes: Uint8Array): boolean {
  return bytes.length === publicKeySize && isCanonicalPoint(bytes) && !isSmallOrder(bytes)
}

export function parseAddress(text: string): Uint8Array | null {
  const bytes = decodeBase58(text, publicKeySize)
  return bytes !== null && isPublicKey(bytes) ? bytes : null
}

export function formatAddress(publicKey: Uint8Array): string {
  return encodeBase58(publicKey)
}

/** A caching `parseAddress` with two generations: the older one is dropped when the younger is
 *  full, so that the cache is bounded. The bytes are shared and must not be written. */
export class AddressCache {
  private young = new Map<string, Uint8Array>()
  private old = new Map<string, Uint8Array>()
  private readonly generationMax: number

  constructor(addressesMax = 65_536) {
    this.generationMax = Math.max(1, Math.floor(addressesMax / 2))
  }

  get size(): number {
    return this.young.size + this.old.size
  }

  parse(text: string): Uint8Array | null {
    const known = this.young.get(text)
    if (known !== undefined) return known
    const bytes = this.old.get(text) ?? parseAddress(text)
    if (bytes === null) return null
    if (this.young.size >= this.generationMax) {
      this.old = this.young
      this.young = new Map()
    }
    this.old.delete(text)
    this.young.set(text, bytes)
    return bytes
  }
}
