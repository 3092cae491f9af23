// Accounts by name. A name determines a key, which is the same in every exchange, and the same that
// a sandbox prints for `alice` and `bob`. Use it for test money only, because anyone who knows the
// name has the key.

import { createHash } from 'node:crypto'
import { type Key, keyOfSeed } from '../../client/key.ts'
import { parseAddress } from '../../protocol/address.ts'

const keysMax = 10_000
const keys = new Map<string, Key>()

export function keyOfName(name: string): Key {
  if (typeof name !== 'string' || !/^[\w .-]{1,31}$/.test(name))
    throw new RangeError(
      `not a name of an account: ${JSON.stringify(name)}; up to 31 letters, digits, spaces, ` +
        'dots and dashes',
    )
  let key = keys.get(name)
  if (key === undefined) {
    const seed = createHash('sha256').update(`openperp sandbox trader ${name}`).digest()
    key = keyOfSeed(seed)
    if (keys.size >= keysMax) keys.clear()
    keys.set(name, key)
  }
  return key
}

/** Address of a name. An address is returned unchanged. */
export function addressOfName(nameOrAddress: string): string {
  const isAddress = typeof nameOrAddress === 'string' && parseAddress(nameOrAddress) !== null
  return isAddress ? nameOrAddress : keyOfName(nameOrAddress).address
}
