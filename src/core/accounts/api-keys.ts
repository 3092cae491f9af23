// API config keys. The core stores prefixes and digests, never a key (ACCT-5). Any agent of the
// account may create and revoke keys, as the contract says, unless the agent's policy forbids it.

import { admissionRefusal } from '../admission/admit.ts'
import { textRefusal } from '../admission/text-refusal.ts'
import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import type { ApiKey } from '../pools/account-pool.ts'
import type { State } from '../state/state.ts'

export function createApiKey(
  state: State,
  log: EventLog,
  command: CommandOf<'CreateApiKey'>,
): Rejection | null {
  const { account, prefix, digest } = command
  const refusal = admissionRefusal(state, log, command, 'api_keys') ?? keyRefusal(state, command)
  if (refusal !== null) return refusal
  const record = state.accounts.records[account]!
  record.apiKeys ??= new Map()
  const bucket = freeBucket(record.apiKeys)
  record.apiKeys.set(prefix, { digest, createdAt: state.atMs, credits: 0, bucket })
  state.accounts.byApiKey.set(prefix, account)
  log.write({ type: 'ApiKeyCreated', account, prefix, bucket })
  return null
}

/** Returns the lowest bucket that no key of the account uses. There is one bucket for each key that
 *  an account may have. */
function freeBucket(keys: ReadonlyMap<string, ApiKey>): number {
  const taken = new Set([...keys.values()].map((key) => key.bucket))
  let bucket = 0
  while (taken.has(bucket)) bucket += 1
  return bucket
}

function keyRefusal(
  state: State,
  { account, prefix, digest }: CommandOf<'CreateApiKey'>,
): Rejection | null {
  const count = state.accounts.records[account]!.apiKeys?.size ?? 0
  if (count >= state.rules.limits.apiKeysPerAccount)
    return refuse('LIMIT_REACHED', state.rules.limits.apiKeysPerAccount)
  if (state.accounts.byApiKey.has(prefix)) return refuse('API_KEY_EXISTS')
  return textRefusal(prefix) ?? textRefusal(digest)
}

export function revokeApiKey(
  state: State,
  log: EventLog,
  command: CommandOf<'RevokeApiKey'>,
): Rejection | null {
  const refusal = admissionRefusal(state, log, command, 'api_keys')
  if (refusal !== null) return refusal
  const { account, prefix } = command
  if (state.accounts.byApiKey.get(prefix) !== account) return refuse('API_KEY_NOT_FOUND')
  state.accounts.records[account]!.apiKeys!.delete(prefix)
  state.accounts.byApiKey.delete(prefix)
  log.write({ type: 'ApiKeyRevoked', account, prefix })
  return null
}

export function setApiKeyCredits(
  state: State,
  log: EventLog,
  { prefix, credits }: CommandOf<'SetApiKeyCredits'>,
): Rejection | null {
  const account = state.accounts.byApiKey.get(prefix)
  if (account === undefined) return refuse('API_KEY_NOT_FOUND')
  if (!Number.isSafeInteger(credits) || credits < 0)
    return refuse('INVALID_PARAMETER', Number.isSafeInteger(credits) ? credits : 0)
  state.accounts.records[account]!.apiKeys!.get(prefix)!.credits = credits
  log.write({ type: 'ApiKeyCreditsSet', account, prefix, credits })
  return null
}
