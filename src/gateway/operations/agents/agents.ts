// Agent keys of an account: bound, listed, revoked by the account's own key alone.

import type { AgentScope } from '../../../core/index.ts'
import { signed } from '../../operation.ts'
import { addressIn } from '../known-address.ts'
import { askRejections } from '../orders/rejects.ts'
import { ask, ownerOf } from '../principal.ts'

const common = {
  group: 'Agents',
  cost: 'plain',
  refusals: 'rules',
} as const

const scopes: readonly AgentScope[] = ['trade', 'margin']

export const bindAgent = signed({
  ...common,
  name: 'bind_agent_wallet',
  summary: 'Let another key trade for the account',
  rejects: [...askRejections, 'UNSUPPORTED_OPERATION', 'LIMIT_REACHED'],
  async handle(call) {
    const principal = ownerOf(call, 'rules')
    const { account, proof } = principal
    const agent = addressIn('agent_wallet', call.request.agent_wallet)
    await ask(principal, { type: 'BindAgent', account, proof, agent, scopes })
    return null
  },
})

export const revokeAgent = signed({
  ...common,
  name: 'revoke_agent_wallet',
  summary: 'Take the right to trade away from an agent; its resting orders stay',
  rejects: [...askRejections, 'AGENT_NOT_FOUND'],
  async handle(call) {
    const principal = ownerOf(call, 'rules')
    const { account, proof } = principal
    const agent = addressIn('agent_wallet', call.request.agent_wallet)
    await ask(principal, { type: 'RevokeAgent', account, proof, agent })
    return null
  },
})

export const revokeAllAgents = signed({
  ...common,
  name: 'revoke_all_agent_wallets',
  summary: 'Revoke every agent of the account',
  rejects: askRejections,
  async handle(call) {
    const principal = ownerOf(call, 'rules')
    const { account, proof } = principal
    await ask(principal, { type: 'RevokeAllAgents', account, proof })
    return null
  },
})

export const listAgents = signed({
  ...common,
  name: 'list_agent_wallets',
  summary: 'List the agents of the account',
  rejects: ['ACCOUNT_NOT_FOUND'],
  handle(call) {
    const principal = ownerOf(call, 'rules')
    const agents = call.exchange.view.accounts.agentsOf(principal.account)
    return { agent_wallets: agents.map(({ address }) => address) }
  },
})
