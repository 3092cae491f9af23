// IP addresses from which an agent may be used.

import type { RequestOf } from '../../../protocol/route-schemas.ts'
import { apiError } from '../../api-error.ts'
import { canonicalIp } from '../../limits/ip-address.ts'
import { type SignedCall, signed } from '../../operation.ts'
import { refusalWith } from '../../refusal.ts'
import { askRejections } from '../orders/rejects.ts'
import { ask, ownerOf } from '../principal.ts'

/** Parses an IP address to the canonical form of client addresses, otherwise it would never
 *  match. */
export function ipIn(field: string, text: string): string {
  const ip = canonicalIp(text)
  if (ip !== null) return ip
  throw apiError(
    'MALFORMED_REQUEST',
    `${field} is not an IPv4 or IPv6 address; ranges are not accepted`,
  )
}

export const listAgentIps = signed({
  group: 'Agents',
  name: 'list_agent_ip_whitelist',
  rejects: ['ACCOUNT_NOT_FOUND', 'AGENT_NOT_FOUND'],
  handle(call) {
    const principal = ownerOf(call, 'rules')
    const agents = call.exchange.view.accounts.agentsOf(principal.account)
    const agent = agents.find(({ address }) => address === call.request.api_agent_key)
    if (agent === undefined)
      throw refusalWith('AGENT_NOT_FOUND', 'rules', { account: principal.address, params: null })
    return { ips: [...agent.ips], enabled: agent.ipFilter }
  },
})

export const allowAgentIp = signed({
  group: 'Agents',
  name: 'add_agent_whitelisted_ip',
  rejects: [...askRejections, 'AGENT_NOT_FOUND', 'LIMIT_REACHED'],
  handle: (call) => changeIp('AllowAgentIp', call),
})

export const disallowAgentIp = signed({
  group: 'Agents',
  name: 'remove_agent_whitelisted_ip',
  rejects: [...askRejections, 'AGENT_NOT_FOUND', 'INVALID_PARAMETER'],
  handle: (call) => changeIp('DisallowAgentIp', call),
})

type IpRequest = RequestOf<'add_agent_whitelisted_ip'>

async function changeIp(type: 'AllowAgentIp' | 'DisallowAgentIp', call: SignedCall<IpRequest>) {
  const principal = ownerOf(call, 'rules')
  const { account, proof } = principal
  const { agent_wallet: agent, ip_address } = call.request
  await ask(principal, { type, account, proof, agent, ip: ipIn('ip_address', ip_address) })
  return null
}

export const setAgentIpFilter = signed({
  group: 'Agents',
  name: 'set_agent_ip_whitelist_enabled',
  rejects: [...askRejections, 'AGENT_NOT_FOUND'],
  async handle(call) {
    const principal = ownerOf(call, 'rules')
    const { account, proof } = principal
    const { agent_wallet: agent, enabled } = call.request
    await ask(principal, { type: 'SetAgentIpFilter', account, proof, agent, enabled })
    return null
  },
})
