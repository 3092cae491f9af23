// State that the leader shares with other public processes while it serves the public API itself:
// spent credits and used keys.

import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import { keyUseMemory } from '../../gateway/auth/key-use.ts'
import type { KeyUse } from '../../gateway/exchange.ts'
import { RateLimit } from '../../gateway/limits/rate-limit.ts'
import { type SharedCredits, sharedCredits } from './shared-credits.ts'
import { type SharedKeyUse, sharedKeyUse } from './shared-key-use.ts'

export type OwnShare = Readonly<{
  /** Prefix of the names of this process's connections. */
  owner: string
  limit: RateLimit | null
  keyUse: KeyUse
  /** `null` if there are no other public processes. */
  shared: Readonly<{ credits: SharedCredits | null; keyUse: SharedKeyUse }> | null
}>

type Notifiable = Readonly<{ notify(name: string, what: unknown): void }>

/** Returns the leader's share. `peers` returns `null` until the other processes have started. */
export function ownShare(config: Config, peers: () => Notifiable | null): OwnShare {
  const limits = config.rateLimit === 'on'
  if (config.clusterKey === '' && config.readerKeys === '') {
    const limit = limits ? new RateLimit({ creditsPerIp: config.credits }) : null
    return { owner: '', limit, keyUse: keyUseMemory(), shared: null }
  }
  const credits = limits
    ? sharedCredits(config.credits, (spent) => peers()?.notify('spent', spent))
    : null
  const keyUse = sharedKeyUse((used) => peers()?.notify('keysUsed', used))
  const owner = `lead-${randomBytes(9).toString('base64url')}/`
  return { owner, limit: credits?.limit ?? null, keyUse, shared: { credits, keyUse } }
}
