// `openperp agent`: keys that may trade for the account, their limits, and the possible cost of a
// stolen one.

import { heldBeyond, policyCost, policyWords } from '../../client/policy-cost.ts'
import type { ReplyOf } from '../../protocol/route-schemas.ts'
import type { PolicyReply, PolicyRequest } from '../../protocol/schemas/agent-requests.ts'
import { allowances } from '../../protocol/words.ts'
import { replyTo, signerOptions, signingClient } from '../connection.ts'
import { type Call, command, family } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { tableOf } from '../frame/screen.ts'
import { expireTimeIn } from './expiry.ts'
import { oneOf } from './order-words.ts'

const limitOptions = {
  symbols: { value: '<a,b>', about: 'markets in which the agent may trade (default: all)' },
  'post-only': { about: 'post-only orders only' },
  'reduce-only': { about: 'reduce-only orders only' },
  'max-slippage': { value: '<percent>', about: 'maximum distance of a price from the mark' },
  'max-order': { value: '<usd>', about: 'maximum value of one order' },
  'max-position': { value: '<usd>', about: 'maximum value of a position, open orders included' },
  'max-loss': {
    value: '<usd>',
    about: 'maximum loss from the highest equity of the UTC day; beyond it only reduce-only orders',
  },
  expires: { value: '<in|at>', about: 'when the key expires: 30d, or 2026-11-01T12:30Z' },
  allow: { value: '<words>', about: `any of ${allowances.join(', ')} (default: none)` },
} as const

const options = { ...signerOptions, ...limitOptions } as const
const agentArgument = { name: 'agent', about: 'address of the agent key', required: true } as const
type LimitCall = Call<typeof options>
type AgentsReply = ReplyOf<'list_agent_wallets'>

const list = command({
  name: 'agent list',
  group: 'keys',
  summary: 'List agents, their policies, and what a stolen agent key could cost',
  options: signerOptions,
  examples: ['openperp agent list --key alice'],
  run: listed,
})

async function listed(call: Call<typeof signerOptions>) {
  const reply = await replyTo(call, signingClient(call).listAgentWallets({}))
  const cells = reply.agents.map(({ agent_wallet, policy, ips, day_loss, expired }) => [
    agent_wallet,
    policy === null ? 'none: no limits' : policyWords(policy, expired),
    ips === null ? 'anywhere' : ips.join(' '),
    policy === null ? '' : day_loss,
    policy === null ? 'everything' : expired ? 'nothing: expired' : costOf(policy),
  ])
  const head = ['agent', 'policy', 'from', 'lost today', 'a stolen one, per market and day']
  const none = 'no agents; `openperp agent bind` makes a key one'
  const lines =
    cells.length === 0 ? [none] : [...tableOf(head, cells), ...(await heldLines(call, reply))]
  return { json: reply, lines }
}

/** A line for each agent that could close more than its policy allows to open. */
async function heldLines(call: Call<typeof signerOptions>, { agents }: AgentsReply) {
  const client = signingClient(call)
  const rows = await replyTo(call, client.getPositions())
  if (rows.length === 0) return []
  const prices = await replyTo(call, client.getPrices())
  const marks = new Map(prices.map(({ symbol, mark }) => [symbol, Number(mark)]))
  const positions = rows.map(({ symbol, amount }) => ({
    symbol,
    value: (marks.get(symbol) ?? 0) * Number(amount),
  }))
  return agents.flatMap(({ agent_wallet, policy, expired }) => {
    const beyond = policy === null || expired ? null : heldBeyond(policy, positions)
    if (beyond === null) return []
    const [cost, value] = [beyond.cost, beyond.value].map((each) => each.toFixed(2))
    return [
      `${agent_wallet} could lose about ${cost} USD more, while the positions in ` +
        `${beyond.symbols.join(' ')} exceed its maximum by ${value} USD`,
    ]
  })
}

const bind = command({
  name: 'agent bind',
  group: 'keys',
  summary: 'Allow another key to trade for the account, within a policy',
  about:
    'Without any of the limits it may do all that agents may: trade, change leverage and margin, ' +
    'and handle API keys. With one of them it has a policy, which allows the last two only where ' +
    '--allow says so.',
  arguments: [agentArgument],
  options: {
    ...options,
    ips: { value: '<a,b>', about: 'IP addresses from which the key may be used' },
  },
  examples: [
    'openperp agent bind 9hSR…WBu --max-position 5000 --max-loss 100 --max-slippage 2',
    'openperp agent bind 9hSR…WBu --symbols BTC,ETH --post-only --ips 203.0.113.7',
  ],
  async run(call) {
    const client = signingClient(call)
    const policy = await policyIn(call)
    const ips = call.values.ips?.split(',')
    const [agent_wallet = ''] = call.words
    const body = { agent_wallet, ...(policy !== null && { policy }), ...(ips && { ips }) }
    await replyTo(call, client.bindAgentWallet(body))
    return listed(call)
  },
})

const policy = command({
  name: 'agent policy',
  group: 'keys',
  summary: 'Set or remove the policy of an agent',
  about: 'The limits given here replace the whole policy; omitted limits do not apply.',
  arguments: [agentArgument],
  options: {
    ...options,
    remove: { about: 'remove the policy' },
  },
  examples: [
    'openperp agent policy 9hSR…WBu --max-position 5000 --max-loss 100 --expires 30d',
    'openperp agent policy 9hSR…WBu --remove',
  ],
  async run(call) {
    const client = signingClient(call)
    const given = await policyIn(call)
    const [agent_wallet = ''] = call.words
    const remove = call.values.remove === true
    if (remove === (given !== null))
      throw misused('say limits, or --remove', 'openperp agent policy <agent> --max-loss 100')
    const body = given === null ? { remove: true } : { policy: given }
    await replyTo(call, client.setAgentPolicy({ agent_wallet, ...body }))
    return listed(call)
  },
})

const revoke = command({
  name: 'agent revoke',
  group: 'keys',
  summary: 'Revoke an agent',
  about:
    'The resting orders of the agent stay. If the agent has no policy, its stops and algos stay ' +
    'too. If it has one, stops and algos that can increase a position end; the others stay, and ' +
    'keep to the maximum distance from the mark of the policy.',
  arguments: [agentArgument],
  options: signerOptions,
  examples: ['openperp agent revoke 9hSR…WBu'],
  async run(call) {
    const [agent_wallet = ''] = call.words
    await replyTo(call, signingClient(call).revokeAgentWallet({ agent_wallet }))
    return listed(call)
  },
})

export const agent = family({
  name: 'agent',
  group: 'keys',
  summary: 'Manage keys that may trade for the account, and their limits',
  examples: ['openperp agent list', 'openperp agent policy 9hSR…WBu --max-loss 100'],
  parts: [list, bind, policy, revoke],
})

/** `null` if no limit is given. */
async function policyIn(call: LimitCall): Promise<PolicyRequest | null> {
  const { values } = call
  const given = Object.keys(limitOptions).some((name) => name in values)
  if (!given) return null
  const now = async () => (await replyTo(call, signingClient(call).getTime())).engine_now
  const expires = values.expires
  return {
    symbols: values.symbols?.split(',') ?? null,
    post_only: values['post-only'] === true,
    reduce_only: values['reduce-only'] === true,
    max_slippage_percent: values['max-slippage'] ?? null,
    max_order_value: values['max-order'] ?? null,
    max_position_value: values['max-position'] ?? null,
    max_daily_loss: values['max-loss'] ?? null,
    expires_at: expires === undefined ? null : await expireTimeIn(expires, now, '--expires'),
    allow: (values.allow ?? '')
      .split(',')
      .filter((word) => word !== '')
      .map((word) => oneOf('--allow', word, ...allowances)),
  }
}

function costOf(policy: PolicyReply): string {
  const cost = policyCost(policy)
  return cost === null
    ? 'no bound: it needs max-loss, max-slippage and max-position'
    : `about ${cost} USD`
}
