// Agent keys of an account. Only the account's own key can bind, list and revoke them.

import type { AgentScope } from '../../../core/index.ts'
import { moneyText } from '../../../projections/market-text.ts'
import type { Exchange } from '../../exchange.ts'
import { addressIn, ownAddressIn } from '../../known-address.ts'
import { signed, unsigned } from '../../operation.ts'
import { refusalWith } from '../../refusal.ts'
import { askRejections } from '../orders/rejects.ts'
import { ask, ownerOf } from '../principal.ts'
import { requireOwner } from '../reading.ts'
import { ipIn } from './agent-ips.ts'
import { policyOf, policyText } from './agent-policy.ts'

const scopes: readonly AgentScope[] = ['trade', 'margin']

export const bindAgent = signed({
  group: 'Agents',
  name: 'bind_agent_wallet',
  rejects: [
    ...askRejections,
    'BOOK_NOT_FOUND',
    'UNSUPPORTED_OPERATION',
    'INVALID_AMOUNT',
    'LIMIT_REACHED',
    'INVALID_PARAMETER',
  ],
  async handle(call) {
    const principal = ownerOf(call, 'rules')
    const { account, proof } = principal
    const { agent_wallet, policy, ips } = call.request
    const agent = ownAddressIn(call.exchange, 'agent_wallet', agent_wallet)
    await ask(principal, {
      ...{ type: 'BindAgent', account, proof, agent, scopes },
      ...(policy != null && { policy: policyOf(principal, policy) }),
      ...(ips != null && { ips: ips.map((ip, at) => ipIn(`ips[${at}] ${ip}`, ip)) }),
    })
    return null
  },
})

export const revokeAgent = signed({
  group: 'Agents',
  name: 'revoke_agent_wallet',
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
  group: 'Agents',
  name: 'revoke_all_agent_wallets',
  rejects: askRejections,
  async handle(call) {
    const principal = ownerOf(call, 'rules')
    const { account, proof } = principal
    await ask(principal, { type: 'RevokeAllAgents', account, proof })
    return null
  },
})

export const listAgents = signed({
  group: 'Agents',
  name: 'list_agent_wallets',
  rejects: ['ACCOUNT_NOT_FOUND'],
  handle(call) {
    const principal = ownerOf(call, 'rules')
    const { view } = call.exchange
    const agents = view.accounts.agentsOf(principal.account)
    return {
      agent_wallets: agents.map(({ address }) => address),
      agents: agents.map((agent) => agentWire(call.exchange, agent)),
    }
  },
})

export const getAgentPolicy = unsigned({
  group: 'Agents',
  name: 'get_agent_policy',
  rejects: ['AGENT_NOT_FOUND'],
  handle(call) {
    const { account, agent_wallet } = call.request
    requireOwner(call, account, 'policies')
    const { accounts } = call.exchange.view
    const wanted = addressIn('agent_wallet', agent_wallet)
    const id = accounts.idOf(account)
    const agents = id === 0 ? [] : accounts.agentsOf(id)
    const agent = agents.find(({ address }) => address === wanted)
    if (agent === undefined)
      throw refusalWith('AGENT_NOT_FOUND', 'rules', { account, params: null })
    return agentWire(call.exchange, agent)
  },
})

type Agent = ReturnType<Exchange['view']['accounts']['agentsOf']>[number]

function agentWire(exchange: Exchange, agent: Agent) {
  const { address, policy, ips, ipFilter, dayLoss } = agent
  return {
    agent_wallet: address,
    policy: policy === null ? null : policyText(exchange, policy),
    ips: ipFilter ? [...ips] : null,
    day_loss: moneyText(dayLoss),
    expired: policy?.expiresAt != null && policy.expiresAt <= exchange.view.atMs,
  }
}
