// SHA-256 (FIPS 180-4), because a hash of the state must be the same everywhere and the core has
// neither dependencies nor Node's crypto.

const roundConstants = new Int32Array(64)
const initial = new Int32Array(8)

/** The first 32 bits of the fractional part of a root, by integer arithmetic alone. */
function rootBits(prime: number, cube: boolean): number {
  const power = cube ? 3n : 2n
  const target = BigInt(prime) << (32n * power)
  let low = 0n
  let high = 1n << 40n
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (middle ** power <= target) low = middle
    else high = middle
  }
  return +BigInt.asIntN(32, low).toString()
}

function fillConstants(): void {
  let found = 0
  for (let candidate = 2; found < 64; candidate++) {
    let prime = true
    for (let divisor = 2; divisor * divisor <= candidate; divisor++)
      if (candidate % divisor === 0) prime = false
    if (!prime) continue
    if (found < 8) initial[found] = rootBits(candidate, false)
    roundConstants[found++] = rootBits(candidate, true)
  }
}
fillConstants()

const schedule = new Int32Array(64)

function compress(hash: Int32Array, bytes: Uint8Array, offset: number): void {
  for (let at = 0; at < 16; at++) {
    const from = offset + at * 4
    schedule[at] =
      (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!
  }
  for (let at = 16; at < 64; at++) {
    const x = schedule[at - 15]!
    const y = schedule[at - 2]!
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    schedule[at] = (schedule[at - 16]! + s0 + schedule[at - 7]! + s1) | 0
  }
  // One by one: taking the array apart by a pattern, or putting one together, costs as much as the
  // rounds themselves.
  let a = hash[0]!
  let b = hash[1]!
  let c = hash[2]!
  let d = hash[3]!
  let e = hash[4]!
  let f = hash[5]!
  let g = hash[6]!
  let h = hash[7]!
  for (let at = 0; at < 64; at++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + roundConstants[at]! + schedule[at]!) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  hash[0] = hash[0]! + a
  hash[1] = hash[1]! + b
  hash[2] = hash[2]! + c
  hash[3] = hash[3]! + d
  hash[4] = hash[4]! + e
  hash[5] = hash[5]! + f
  hash[6] = hash[6]! + g
  hash[7] = hash[7]! + h
}

/** As 64 hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  const hash = initial.slice()
  const whole = bytes.length - (bytes.length % 64)
  for (let at = 0; at < whole; at += 64) compress(hash, bytes, at)
  const rest = bytes.length - whole
  const tail = new Uint8Array(rest + 9 > 64 ? 128 : 64)
  tail.set(bytes.subarray(whole))
  tail[rest] = 128
  let bits = bytes.length * 8
  for (let at = tail.length - 1; at >= tail.length - 8; at--) {
    tail[at] = bits % 256
    bits = (bits - (bits % 256)) / 256
  }
  for (let at = 0; at < tail.length; at += 64) compress(hash, tail, at)
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}
