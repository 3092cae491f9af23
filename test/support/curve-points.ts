// Ed25519 points by the schoolbook: big integers, no speed, no secrets. Only for making signatures
// that no honest signer makes, and for a second opinion on the ordinary ones.

import { createHash } from 'node:crypto'

export const fieldPrime = 2n ** 255n - 19n
/** Order of the base point, called L. */
export const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n

/** Extended coordinates: x = X/Z, y = Y/Z, T = XY/Z. */
export type Point = Readonly<{ X: bigint; Y: bigint; Z: bigint; T: bigint }>

const mod = (n: bigint, by = fieldPrime) => ((n % by) + by) % by

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = mod(base)
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square)
    square = mod(square * square)
  }
  return result
}

const inverse = (n: bigint) => power(n, fieldPrime - 2n)
const curveD = mod(-121665n * inverse(121666n))
const rootOfMinusOne = power(2n, (fieldPrime - 1n) / 4n)

const affine = (x: bigint, y: bigint): Point => ({ X: x, Y: y, Z: 1n, T: mod(x * y) })
export const identity = affine(0n, 1n)

/** The point with this y and this lowest bit of x; null: there is none. */
export function pointAt(y: bigint, odd: boolean): Point | null {
  const square = mod((y * y - 1n) * inverse(curveD * y * y + 1n))
  let x = power(square, (fieldPrime + 3n) / 8n)
  if (mod(x * x) !== square) x = mod(x * rootOfMinusOne)
  if (mod(x * x) !== square) return null
  return affine((x & 1n) === (odd ? 1n : 0n) ? x : mod(-x), mod(y))
}

export const basePoint = pointAt(mod(4n * inverse(5n)), false)!

export function add(p: Point, q: Point): Point {
  const a = mod((p.Y - p.X) * (q.Y - q.X))
  const b = mod((p.Y + p.X) * (q.Y + q.X))
  const c = mod(2n * curveD * p.T * q.T)
  const d = mod(2n * p.Z * q.Z)
  const [e, f, g, h] = [b - a, d - c, d + c, b + a]
  return { X: mod(e * f), Y: mod(g * h), Z: mod(f * g), T: mod(e * h) }
}

export function times(n: bigint, point: Point): Point {
  let result = identity
  let doubled = point
  for (let rest = n; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = add(result, doubled)
    doubled = add(doubled, doubled)
  }
  return result
}

export function littleEndian(n: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, i) => Number((n >> BigInt(8 * i)) & 255n))
}

export function bigIntOf(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
}

export function encodePoint({ X, Y, Z }: Point): Uint8Array {
  const x = mod(X * inverse(Z))
  const y = mod(Y * inverse(Z))
  return littleEndian(y | ((x & 1n) << 255n))
}

/** The eight points whose order divides eight: multiples of one of order eight. */
export const torsionPoints: readonly Point[] = (() => {
  for (let y = 2n; ; y++) {
    const found = pointAt(y, false)
    const torsion = found === null ? identity : times(groupOrder, found)
    const four = encodePoint(times(4n, torsion))
    if (bigIntOf(four) === 1n) continue
    return Array.from({ length: 8 }, (_, n) => times(BigInt(n), torsion))
  }
})()

export const sha512Scalar = (...parts: readonly Uint8Array[]) =>
  bigIntOf(createHash('sha512').update(Buffer.concat(parts)).digest()) % groupOrder

/** The secret scalar of a seed, as RFC 8032 clamps it. */
export function secretScalar(seed: Uint8Array): bigint {
  const half = createHash('sha512').update(seed).digest().subarray(0, 32)
  half[0]! &= 248
  half[31]! = (half[31]! & 127) | 64
  return bigIntOf(half)
}

type Forging = Readonly<{
  secret: bigint
  message: Uint8Array
  /** The nonce; zero makes R the neutral point. */
  nonce: bigint
  /** Added to R, to the public key. */
  onR?: Point
  onKey?: Point
}>

/** A signature whose parts may be shifted by a point of small order. */
export function oddSignature({ secret, message, nonce, onR, onKey }: Forging) {
  const publicKey = encodePoint(add(times(secret, basePoint), onKey ?? identity))
  const R = encodePoint(add(times(nonce, basePoint), onR ?? identity))
  const h = sha512Scalar(R, publicKey, message)
  const S = littleEndian((nonce + h * secret) % groupOrder)
  return { publicKey, signature: Buffer.concat([R, S]), hash: h }
}
