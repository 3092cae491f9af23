// Deposits and withdrawals, subaccounts, settings of margin, agents and keys.

import { drawPolicy } from './contrived/limited-keys.ts'
import {
  agentsOf,
  drawAccount,
  drawHolder,
  drawMarket,
  drawProof,
  freshName,
  ips,
  type Made,
  type Maker,
  type Making,
  marketId,
} from './making.ts'
import { reservedAddresses } from './world.ts'

/** A deposit that is sent again and again, as by a payment system that got no reply. */
const sameAgain = { address: 'trader-again', amount: 1_000_000, reference: 'reference-again' }

export function deposit(making: Making): Made {
  const { random, world, picture } = making
  if (random.chance(0.1)) return { type: 'Deposit', ...sameAgain }
  const trader = random.any(picture.traders)?.address ?? 'trader-0'
  const kind = random.weighted({ trader: 62, fresh: 16, insurance: 12, reserved: 4, agent: 6 })
  const addresses = {
    trader,
    fresh: freshName(making, 'trader'),
    insurance: 'insurance',
    reserved: random.pick([...reservedAddresses, 'backstop-1']),
    agent: random.pick(picture.traders.flatMap(({ agents }) => agents).concat('agent-x')),
  }
  const references = [freshName(making, 'reference'), `reference-${random.between(1, 40)}`]
  const small = Math.ceil(world.wealth * random.pick([0.01, 0.2, 1]))
  return {
    type: 'Deposit',
    address: addresses[kind],
    amount: random.chance(0.03) ? random.pick([2 ** 52, 0, 1]) : small,
    reference: random.chance(0.9) ? references[0] : references[1],
  }
}

function drawMoney(making: Making, account: number): number {
  const { random, picture } = making
  const money = Math.max(1, picture.accounts.get(account)?.money ?? 1)
  const kind = random.weighted({ part: 54, all: 12, over: 10, low: 8, daily: 11, zero: 5 })
  if (kind === 'part') return Math.max(1, Math.floor(money * random.next() * 0.4))
  if (kind === 'all') return money
  if (kind === 'over') return money * 2 + 1
  if (kind === 'low') return random.pick([1, 999_999, 1_000_000])
  return kind === 'daily' ? 10_000_000_000_001 : random.pick([0, -5])
}

const withdraw: Maker = (making) => {
  const { random, picture } = making
  const frozen = random.chance(0.2) ? picture.traders.find((account) => account.frozen) : undefined
  const account = frozen?.id ?? drawAccount(making)
  const proof = drawProof(making, account, 'Withdraw')
  return { type: 'Withdraw', account, proof, amount: drawMoney(making, account) }
}

function drawWithdrawal({ random, picture }: Making): number {
  const wanted = random.chance(0.2) ? picture.unapproved : picture.withdrawals
  const known = random.chance(0.85) ? random.any(wanted) : undefined
  return known ?? random.pick([0, 1, 2, 5_000])
}

const completeWithdrawal: Maker = (making) => ({
  type: 'CompleteWithdrawal',
  withdrawal: drawWithdrawal(making),
})

const operators = ['ann', 'ann', 'bob', ''] as const

/** By hand, or as a treasury reports it. */
const failWithdrawal: Maker = (making) => ({
  type: 'FailWithdrawal',
  withdrawal: drawWithdrawal(making),
  ...(making.random.chance(0.7) ? { by: making.random.pick(operators) } : {}),
})

/** Now and then again, which waits or was credited. */
const creditDeposit: Maker = (making) => {
  const { random, picture, world } = making
  const known = random.chance(0.1) ? picture.credits.all.at(-1)?.reference : undefined
  const reference = known || freshName(making, 'by hand')
  const address = random.any(picture.traders)?.address ?? 'insurance'
  const amount = Math.ceil(world.wealth * random.pick([1e-5, 1e-4, 1e-3, 0.01]))
  return {
    type: 'CreditDeposit',
    address: random.chance(0.9) ? address : random.pick([freshName(making, 'new'), 'fees']),
    amount: random.chance(0.95) ? amount : 0,
    ...{ reference, by: random.pick(operators) },
  }
}

const ofCredit = ({ random, picture }: Making): number =>
  (random.chance(0.9) ? random.any(picture.credits.all)?.credit : undefined) ?? 5_000

const approveCredit: Maker = (making) => ({
  type: 'ApproveCredit',
  credit: ofCredit(making),
  approver: making.random.pick(operators),
})

const dropCredit: Maker = (making) => ({ type: 'DropCredit', credit: ofCredit(making) })

const approveWithdrawal: Maker = ({ random, picture }) => {
  const known = random.chance(0.9) ? random.any(picture.unapproved) : undefined
  const withdrawal = known ?? random.any(picture.withdrawals) ?? 5_000
  return { type: 'ApproveWithdrawal', withdrawal, approver: random.pick(operators) }
}

const createSubaccount: Maker = (making) => {
  const { random, picture } = making
  const account = drawAccount(making)
  const taken = random.any(picture.traders)?.address ?? 'fees'
  const agent = random.any(picture.traders.flatMap(({ agents }) => agents)) ?? 'agent-x'
  const few = picture.traders.length < 70 && random.chance(0.3)
  const address = few ? freshName(making, 'sub') : random.pick([taken, taken, agent, 'fees'])
  const proof = drawProof(making, account, 'CreateSubaccount')
  return { type: 'CreateSubaccount', account, proof, address }
}

const transfer: Maker = (making) => {
  const { random, picture } = making
  const sub = random.any(picture.traders.filter(({ id, main }) => id !== main))
  const family = sub !== undefined && random.chance(0.85)
  const [account, to] = family
    ? random.chance(0.6)
      ? [sub.main, sub.id]
      : [sub.id, sub.main]
    : [drawAccount(making), drawAccount(making)]
  const proof = drawProof(making, account, 'Transfer')
  return { type: 'Transfer', account, proof, to, amount: drawMoney(making, account) }
}

const setLeverage: Maker = (making) => {
  const { random } = making
  const market = drawMarket(making)
  const most = market?.params.leverageMax ?? 10
  const account = drawHolderOrAnyone(making, 0.5)
  return {
    type: 'SetLeverage',
    account,
    proof: drawProof(making, account, 'SetLeverage'),
    market: marketId(making, market),
    leverage: random.chance(0.9) ? random.between(1, most) : random.pick([0, most + 1, 101, most]),
  }
}

function drawHolderOrAnyone(making: Making, chance: number): number {
  const holder = making.random.chance(chance) ? drawHolder(making, drawMarket(making)) : undefined
  return holder?.id ?? drawAccount(making)
}

const setMarginMode: Maker = (making) => {
  const account = drawAccount(making)
  return {
    type: 'SetMarginMode',
    account,
    proof: drawProof(making, account, 'SetMarginMode'),
    market: marketId(making, drawMarket(making)),
    isolated: making.random.chance(making.world.profile === 'isolated' ? 0.8 : 0.55),
  }
}

const moveIsolatedMargin: Maker = (making) => {
  const { random } = making
  const market = drawMarket(making)
  const account = drawHolder(making, market)?.id ?? drawAccount(making)
  const money = Math.floor(drawMoney(making, account) / random.pick([1, 10, 100]))
  return {
    type: 'MoveIsolatedMargin',
    account,
    proof: drawProof(making, account, 'MoveIsolatedMargin'),
    market: marketId(making, market),
    amount: random.chance(0.5) ? money : -money,
  }
}

/** A bound agent of the account, mostly. */
function drawAgent(making: Making, account: number): string {
  const { random, picture } = making
  const bound = picture.accounts.get(account)?.agents ?? []
  if (bound.length > 0 && random.chance(0.75)) return random.pick(bound)
  return random.pick(agentsOf(account))
}

const bindAgent: Maker = (making) => {
  const { random, picture } = making
  const account = drawAccount(making)
  const stranger = random.any(picture.traders)
  const kind = random.weighted({ own: 65, other: 10, shared: 18, address: 7 })
  const agents = {
    own: random.pick(agentsOf(account)),
    other: random.pick(agentsOf(stranger?.id ?? 4)),
    shared: 'agent-of-many',
    address: stranger?.address ?? 'fees',
  }
  // One account of a world binds without end, to meet the limit.
  const hoards = making.world.seed % 3 === 0 && account === picture.traders[0]?.id
  return {
    type: 'BindAgent',
    account,
    proof: drawProof(making, account, 'BindAgent'),
    agent: hoards ? freshName(making, 'agent') : agents[kind],
    scopes: random.pick([['trade'], ['margin'], ['trade', 'margin'], ['trade'], []]),
  }
}

const setAgentPolicy: Maker = (making) => {
  const { random, picture } = making
  const known = random.any(picture.traders.filter(({ limited }) => limited.length > 0))
  const again = random.chance(0.6) ? known : undefined
  const account = again?.id ?? drawWithAgent(making)
  const agent = random.any(again?.limited ?? []) ?? drawAgent(making, account)
  const policy = random.chance(0.12) ? null : drawPolicy(making)
  const proof = drawProof(making, account, 'SetAgentPolicy')
  return { type: 'SetAgentPolicy', account, proof, agent, policy }
}

const revokeAgent: Maker = (making) => {
  const account = drawAccount(making)
  const proof = drawProof(making, account, 'RevokeAgent')
  return { type: 'RevokeAgent', account, proof, agent: drawAgent(making, account) }
}

const revokeAllAgents: Maker = (making) => {
  const account = drawAccount(making)
  return { type: 'RevokeAllAgents', account, proof: drawProof(making, account, 'RevokeAllAgents') }
}

const unbindAgent: Maker = ({ random, picture }) => {
  const bound = picture.traders.flatMap(({ agents }) => agents)
  return { type: 'UnbindAgent', agent: random.any(bound) ?? 'agent-x' }
}

function ofAgentIp(type: 'AllowAgentIp' | 'DisallowAgentIp'): Maker {
  return (making) => {
    const account = drawWithAgent(making)
    const proof = drawProof(making, account, type)
    const agent = drawAgent(making, account)
    return { type, account, proof, agent, ip: making.random.pick(ips) }
  }
}

function drawWithAgent(making: Making): number {
  const { random, picture } = making
  const careful = random.chance(0.5)
  const owners = picture.traders.filter(({ agents, armed }) => {
    return agents.length > 0 && (!careful || armed.length > 0)
  })
  return (random.chance(0.85) ? random.any(owners)?.id : undefined) ?? drawAccount(making)
}

const setAgentIpFilter: Maker = (making) => {
  const account = drawWithAgent(making)
  return {
    type: 'SetAgentIpFilter',
    account,
    proof: drawProof(making, account, 'SetAgentIpFilter'),
    agent: drawAgent(making, account),
    enabled: making.random.chance(0.6),
  }
}

const createApiKey: Maker = (making) => {
  const { random, picture } = making
  const hoarder = random.chance(0.4) ? picture.traders[1]?.id : undefined
  const account = hoarder ?? drawAccount(making)
  const prefix = random.chance(0.7) ? freshName(making, 'key') : drawKey(making)
  const proof = drawProof(making, account, 'CreateApiKey')
  return { type: 'CreateApiKey', account, proof, prefix, digest: freshName(making, 'digest') }
}

function drawKey({ random, picture }: Making): string {
  return random.any(picture.traders.flatMap(({ keys }) => keys)) ?? 'key-none'
}

const revokeApiKey: Maker = (making) => {
  const { random, picture } = making
  const owner = random.any(picture.traders.filter(({ keys }) => keys.length > 0))
  const account = random.chance(0.8) ? (owner?.id ?? 4) : drawAccount(making)
  const prefix = random.chance(0.8) ? (owner?.keys[0] ?? 'key-none') : 'key-none'
  return {
    type: 'RevokeApiKey',
    account,
    proof: drawProof(making, account, 'RevokeApiKey'),
    prefix,
  }
}

const setApiKeyCredits: Maker = (making) => {
  const { random } = making
  const prefix = random.chance(0.8) ? drawKey(making) : 'key-none'
  const credits = random.pick([0, 10, 100_000, -1])
  return { type: 'SetApiKeyCredits', prefix, credits }
}

const freezeAccount: Maker = (making) => ({
  type: 'FreezeAccount',
  account: drawAccount(making),
  frozen: making.random.chance(0.7),
})

export const accountMakers = {
  Deposit: deposit,
  CreditDeposit: creditDeposit,
  ApproveCredit: approveCredit,
  DropCredit: dropCredit,
  Withdraw: withdraw,
  ApproveWithdrawal: approveWithdrawal,
  CompleteWithdrawal: completeWithdrawal,
  FailWithdrawal: failWithdrawal,
  CreateSubaccount: createSubaccount,
  Transfer: transfer,
  SetLeverage: setLeverage,
  SetMarginMode: setMarginMode,
  MoveIsolatedMargin: moveIsolatedMargin,
  BindAgent: bindAgent,
  SetAgentPolicy: setAgentPolicy,
  RevokeAgent: revokeAgent,
  RevokeAllAgents: revokeAllAgents,
  UnbindAgent: unbindAgent,
  AllowAgentIp: ofAgentIp('AllowAgentIp'),
  DisallowAgentIp: ofAgentIp('DisallowAgentIp'),
  SetAgentIpFilter: setAgentIpFilter,
  CreateApiKey: createApiKey,
  RevokeApiKey: revokeApiKey,
  SetApiKeyCredits: setApiKeyCredits,
  FreezeAccount: freezeAccount,
} satisfies Readonly<Record<string, Maker>>
