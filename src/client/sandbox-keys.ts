// Two keys for a sandbox's first minutes. Everyone who runs a sandbox has the same: they are for
// test money alone, and a venue knows nothing of them.

import { createHash } from 'node:crypto'
import { type Key, keyOfSeed } from './key.ts'

export type SandboxKey = Readonly<{ name: string; key: Key }>

export const sandboxKeys: readonly SandboxKey[] = ['alice', 'bob'].map((name) => ({
  name,
  key: keyOfSeed(createHash('sha256').update(`openperp sandbox trader ${name}`).digest()),
}))
