// API config keys: created, revoked and listed by the account's key or one of its agents (contract
// 5.1). They raise rate limits and cannot sign.

import { findRevocable } from '../../auth/api-keys.ts'
import { signed } from '../../operation.ts'
import { refusalWith } from '../../refusal.ts'
import { askRejections } from '../orders/rejects.ts'
import { ask, principalOf } from '../principal.ts'

const common = { ws: null, group: 'API keys', cost: 'plain', refusals: 'contract' } as const

export const createApiKey = signed({
  ...common,
  name: 'create_api_key',
  paidByAddress: true,
  rejects: [...askRejections, 'LIMIT_REACHED'],
  async handle(call) {
    const principal = principalOf(call, call.refusals)
    const { account, address, proof } = principal
    const { key, prefix, digest } = call.exchange.apiKeys.make(address)
    await ask(principal, { type: 'CreateApiKey', account, proof, prefix, digest })
    return { data: { api_key: key } }
  },
})

export const revokeApiKey = signed({
  ...common,
  name: 'revoke_api_key',
  paidByAddress: true,
  rejects: [...askRejections, 'API_KEY_NOT_FOUND'],
  async handle(call) {
    const principal = principalOf(call, call.refusals)
    const { account, proof } = principal
    const prefix = findRevocable(call.exchange.view, account, call.request.api_key)
    if (prefix === null) {
      const subject = { account: principal.address, params: null }
      throw refusalWith('API_KEY_NOT_FOUND', call.refusals, subject)
    }
    await ask(principal, { type: 'RevokeApiKey', account, proof, prefix })
    return null
  },
})

export const listApiKeys = signed({
  ...common,
  name: 'list_api_keys',
  rejects: ['ACCOUNT_NOT_FOUND', 'AGENT_NOT_ALLOWED'],
  handle(call) {
    const { exchange } = call
    const principal = principalOf(call, call.refusals, 'api_keys')
    const keys = exchange.view.accounts.apiKeysOf(principal.account)
    const whole = keys.map((key) => exchange.apiKeys.whole(principal.address, key))
    return {
      active_api_keys: whole.filter((key) => key !== null),
      api_key_limit: exchange.view.ruleLimits.apiKeysPerAccount,
      keys: keys.map(({ prefix, createdAt, credits }) => ({
        prefix,
        created_at: createdAt,
        last_used_at: exchange.keyUse.lastUsedAt(prefix),
        credits: credits === 0 ? exchange.settings.creditsPerIp : credits,
      })),
    }
  },
})
