// Two keys for a sandbox's first minutes. Everyone who runs a sandbox has the same: they are for
// test money alone, and a venue knows nothing of them.

import { type Key, keyOfSecret } from './key.ts'

/** A published key of every sandbox. */
export type SandboxKey = Readonly<{
  /** What it is called, such as `alice`. */
  name: string
  /** The key: anyone has it. */
  key: Key
}>

/** Base58 of the SHA-256 of `openperp sandbox trader <name>`. */
const secrets = {
  alice: '9Wc5joySQ7iTNuKD9ddin6e7TvgiLkSMCEKK5EecesNo',
  bob: 'GDGTu4iVwtgjshf7WbhnUXqHxbpAVFukS1nNjj4MUiiP',
} as const

/** The published keys of every sandbox, which a venue refuses. */
export const sandboxKeys: readonly SandboxKey[] = Object.entries(secrets).map(([name, secret]) => ({
  name,
  key: keyOfSecret(secret),
}))
