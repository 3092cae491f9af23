// docs/rules/accounts.md through both engines: deposits, withdrawals, subaccounts, agents, keys,
// freezing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../support/rule-table.ts'
import { BTC, freeTiers, given, paramsOf, proofOf, type Scene } from '../support/scene.ts'

const funds = { A: 10 ** 11, B: 10 ** 11 }

test('a deposit to a new address opens an account that is its own main (ACCT-1)', () => {
  const scene = given({ markets: [] })
  scene
    .deposit('A', 7)
    .emits(
      { type: 'AccountOpened', account: 4, main: 4, address: 'A' },
      { type: 'Deposited', account: 4, amount: 7, balance: 7, reference: 'A-0' },
    )
  scene.deposit('A', 5).emits({ type: 'Deposited', account: 4, amount: 5, balance: 12 })
})

test('a deposit has an amount, a new reference, and an address that may have one (ACCT-1)', () => {
  const scene = given({ funds })
  const deposit = (change: Record<string, unknown>) => {
    const wish = { address: 'A', amount: 1, reference: 'once', ...change }
    return scene.run({ type: 'Deposit', ...wish })
  }
  deposit({ amount: 0 }).refused('INVALID_AMOUNT', 0)
  deposit({ amount: 2 ** 53 }).refused('INVALID_AMOUNT', 0)
  deposit({ address: 'deficit' }).refused('UNSUPPORTED_OPERATION')
  deposit({ address: 'backstop-BTC' }).refused('UNSUPPORTED_OPERATION')
  scene.own('A', 'BindAgent', { agent: 'bot', scopes: ['trade'] })
  scene.bid('A', 1_000, 59_000, { proof: proofOf('text', scene.now, { agent: 'bot' }) })
  deposit({ address: 'bot' }).refused('UNSUPPORTED_OPERATION')
  deposit({ amount: 2 ** 52 }).refused('LIMIT_REACHED', 2 ** 52)
  deposit({}).accepted()
  deposit({}).refused('DEPOSIT_REFERENCE_USED')
  deposit({ amount: 2 }).refused('DEPOSIT_CONFLICT', scene.id('A'), 1)
  deposit({ address: 'B' }).refused('DEPOSIT_CONFLICT', scene.id('A'), 1)
  deposit({ address: 'nobody-yet' }).refused('DEPOSIT_CONFLICT', scene.id('A'), 1)
  deposit({ reference: '' }).refused('INVALID_PARAMETER', 0)
  deposit({ address: 'x'.repeat(200), reference: '' }).refused('INVALID_PARAMETER', 200)
})

test('case 53: a reference is credited once (ACCT-1)', () => {
  const row = worked('accounts', 53)
  const [account = 0, amount = 0, other = 0] = row.given()
  const scene = given({ funds: { A: 1 } })
  assert.equal(scene.id('A'), account)
  const deposit = (much: number) => {
    return scene.run({ type: 'Deposit', address: 'A', amount: much, reference: 'once' })
  }
  deposit(amount).emits({ type: 'Deposited', account, amount })
  const again = deposit(amount).one('CommandRejected')
  const conflict = deposit(other).one('CommandRejected')
  row.names(again.rejection, conflict.rejection)
  row.says(conflict.first, conflict.second)
})

const withdraw = (scene: Scene, amount: number, name = 'A') =>
  scene.own(name, 'Withdraw', { amount })

test('a withdrawal is whole, large enough, and covered (ACCT-2)', () => {
  const scene = given({ funds: { A: 10_000_000 } })
  withdraw(scene, 0).refused('INVALID_AMOUNT', 0)
  withdraw(scene, 999_999).refused('WITHDRAW_AMOUNT_TOO_LOW', 999_999, 1_000_000)
  withdraw(scene, 10_000_001).refused('OVER_WITHDRAWAL', 10_000_001, 10_000_000)
  const requested = { withdrawal: 1, amount: 10_000_000, balance: 0 }
  withdraw(scene, 10_000_000).emits({ type: 'WithdrawalRequested', account: 7, ...requested })
})

test('a pending withdrawal ends once, completed or failed (ACCT-2)', () => {
  const scene = given({ funds: { A: 10_000_000 } })
  const end = (type: 'CompleteWithdrawal' | 'FailWithdrawal', withdrawal: number) => {
    return scene.run({ type, withdrawal })
  }
  end('CompleteWithdrawal', 1).refused('WITHDRAWAL_NOT_FOUND', 1)
  withdraw(scene, 4_000_000)
  withdraw(scene, 5_000_000)
  end('FailWithdrawal', 1).emits({
    type: 'WithdrawalFailed',
    amount: 4_000_000,
    balance: 5_000_000,
  })
  end('FailWithdrawal', 1).refused('WITHDRAWAL_NOT_FOUND', 1)
  end('CompleteWithdrawal', 2).emits({ type: 'WithdrawalCompleted', amount: 5_000_000 })
  end('FailWithdrawal', 2).refused('WITHDRAWAL_NOT_FOUND', 2)
})

test('an account has at most 100 withdrawals pending (ACCT-2)', () => {
  const scene = given({ markets: [], funds })
  scene.quietly(() => {
    for (let n = 0; n < 100; n++) withdraw(scene, 1_000_000).accepted()
  })
  withdraw(scene, 1_000_000).refused('LIMIT_REACHED', 100)
  scene.run({ type: 'FailWithdrawal', withdrawal: 50 })
  withdraw(scene, 1_000_000).accepted()
})

test('a request counts towards the limit of its UTC day (ACCT-2)', () => {
  const scene = given({ markets: [], funds: { A: 3 * 10 ** 13 } })
  withdraw(scene, 10 ** 13).accepted()
  withdraw(scene, 10 ** 6).refused('DAILY_WITHDRAW_LIMIT_EXCEEDED', 10 ** 6, 0)
  scene.later(86_400_000)
  withdraw(scene, 10 ** 13).accepted()
})

test('a main account has subaccounts, at most 50, and they have none (ACCT-3)', () => {
  const scene = given({ funds })
  const create = (address: string, name = 'A') => scene.own(name, 'CreateSubaccount', { address })
  create('A2').emits({ type: 'AccountOpened', account: 9, main: 7, address: 'A2' })
  create('A3', 'A2').refused('SUBACCOUNT_CANNOT_CREATE_SUBACCOUNT')
  create('B').refused('ACCOUNT_ALREADY_EXISTS', 8)
  scene.own('B', 'BindAgent', { agent: 'bot', scopes: ['trade'] })
  scene.bid('B', 1_000, 59_000, { proof: proofOf('text', scene.now, { agent: 'bot' }) })
  create('bot').refused('UNSUPPORTED_OPERATION')
  create('').refused('INVALID_PARAMETER', 0)
  scene.quietly(() => {
    for (let n = 2; n <= 50; n++) create(`sub-${n}`).accepted()
  })
  create('one too many').refused('LIMIT_REACHED', 50)
})

test('money moves between a main account and its subaccounts only (ACCT-3)', () => {
  const scene = given({ funds: { A: 10_000_000, B: 1 } })
  for (const address of ['A2', 'A3']) scene.own('A', 'CreateSubaccount', { address })
  const move = (from: string, to: number, amount: number) => {
    return scene.own(from, 'Transfer', { to, amount })
  }
  const [a, a2, a3, b] = ['A', 'A2', 'A3', 'B'].map((name) => scene.id(name))
  move('A', 99, 1).refused('ACCOUNT_NOT_FOUND', 99)
  move('A', a2!, 0).refused('INVALID_AMOUNT', 0)
  move('A', a2!, 10_000_001).refused('OVER_WITHDRAWAL', 10_000_001, 10_000_000)
  move('A', b!, 1).refused('INVALID_TRANSFER_RELATIONSHIP')
  move('A', a!, 1).refused('INVALID_TRANSFER_RELATIONSHIP')
  const moved = { amount: 4_000_000, fromBalance: 6_000_000, toBalance: 4_000_000 }
  move('A', a2!, 4_000_000).emits({ type: 'Transferred', from: a!, to: a2!, ...moved })
  move('A2', a3!, 1).refused('INVALID_TRANSFER_RELATIONSHIP')
  move('A2', a!, 1_000_000).emits({ type: 'Transferred', fromBalance: 3_000_000 })
  withdraw(scene, 1_000_000, 'A2').refused('SUBACCOUNT_WITHDRAWAL_NOT_ALLOWED')
})

const agentOf = (scene: Scene, type: 'RevokeAgent' | 'BindAgent', agent: string, more = {}) => {
  return scene.own('A', type, { agent, scopes: ['trade'], ...more })
}

test('an agent is bound to one account, is none itself, and there are at most 20 (ACCT-4)', () => {
  const scene = given({ funds })
  const bind = (agent: string, more = {}) => agentOf(scene, 'BindAgent', agent, more)
  bind('bot').emits({ type: 'AgentBound', account: scene.id('A'), agent: 'bot' })
  bind('bot', { scopes: ['margin'] }).emits({ type: 'AgentBound', agent: 'bot' })
  bind('B').refused('UNSUPPORTED_OPERATION')
  bind('bot-2', { scopes: [] }).refused('INVALID_PARAMETER', 0)
  bind('bot-2', { scopes: ['withdraw'] }).refused('INVALID_PARAMETER', 0)
  for (let n = 2; n <= 20; n++) bind(`bot-${n}`).accepted()
  bind('bot-21').refused('LIMIT_REACHED', 20)
})

test('a key belongs to the account for which it first signs a command (ACCT-4)', () => {
  const scene = given({ funds: { A: 100_000_000, B: 100_000_000 } })
  const [a, b] = [scene.id('A'), scene.id('B')]
  const bind = (name: string) => scene.own(name, 'BindAgent', { agent: 'bot', scopes: ['trade'] })
  const signs = (name: string, text: string, price = 59_000) => {
    const proof = proofOf(text, scene.now, { agent: 'bot' })
    return scene.bid(name, 1_000, price, { proof })
  }
  bind('A').emits({ type: 'AgentBound', account: a })
  bind('B').emits({ type: 'AgentBound', account: b })
  // Refused for its price, and met all the same.
  signs('B', 'one', 0).emits(
    { type: 'AgentConfirmed', account: b, agent: 'bot' },
    { type: 'AgentUnbound', account: a, agent: 'bot', reason: 'confirmed_elsewhere' },
    { type: 'CommandRejected', rejection: 'INVALID_TICK_LEVEL' },
  )
  signs('B', 'two').includes({ type: 'OrderPlaced', account: b })
  signs('A', 'three').refused('AGENT_NOT_ALLOWED', 1)
  bind('A').refused('UNSUPPORTED_OPERATION')
  bind('B').emits({ type: 'AgentBound', account: b })
  scene.own('B', 'RevokeAgent', { agent: 'bot' }).emits({ type: 'AgentRevoked', account: b })
  bind('A').accepted()
  signs('A', 'four').includes({ type: 'AgentConfirmed', account: a }, { type: 'OrderPlaced' })
})

test('a command beyond the scopes, or a used text, does not confirm a binding (ACCT-4)', () => {
  const scene = given({ funds })
  const [a, b] = [scene.id('A'), scene.id('B')]
  const bind = (name: string) => scene.own(name, 'BindAgent', { agent: 'bot', scopes: ['trade'] })
  const proof = (text: string) => proofOf(text, scene.now, { agent: 'bot' })
  const cancels = (name: string, text: string) => {
    return scene.own(name, 'CancelOrder', { proof: proof(text), market: 1, order: 1 })
  }
  bind('A')
  bind('B')
  scene.own('A', 'Withdraw', { proof: proof('one'), amount: 1 }).refused('AGENT_NOT_ALLOWED', 2)
  scene.own('A', 'SetAgentIpFilter', { agent: 'bot', enabled: true })
  cancels('A', 'two').refused('AGENT_NOT_ALLOWED', 5)
  scene.own('A', 'SetAgentIpFilter', { agent: 'bot', enabled: false })
  cancels('A', 'three').includes({ type: 'AgentConfirmed', account: a })
  scene.own('A', 'RevokeAgent', { agent: 'bot' })
  for (const name of ['A', 'B']) bind(name)
  cancels('A', 'three').refused('REPLAYED')
  cancels('B', 'three').includes({ type: 'AgentConfirmed', account: b })
})

test('an account opened at the address of a provisional agent ends its bindings (ACCT-4)', () => {
  const scene = given({ markets: [], funds })
  const [a, b] = [scene.id('A'), scene.id('B')]
  const bind = (name: string, agent: string) => {
    return scene.own(name, 'BindAgent', { agent, scopes: ['trade'] })
  }
  const both = (agent: string) => {
    const reason = 'address_in_use'
    return [
      { type: 'AgentUnbound', account: b, agent, reason },
      { type: 'AgentUnbound', account: a, agent, reason },
    ] as const
  }
  for (const agent of ['C', 'A2', 'backstop']) for (const name of ['B', 'A']) bind(name, agent)
  scene
    .run({ type: 'Deposit', address: 'C', amount: 5, reference: 'for C' })
    .emits(...both('C'), { type: 'AccountOpened', address: 'C' }, { type: 'Deposited' })
  bind('A', 'C').refused('UNSUPPORTED_OPERATION')
  scene
    .own('A', 'CreateSubaccount', { address: 'A2' })
    .emits(...both('A2'), { type: 'AccountOpened', main: a, address: 'A2' })
  const params = { ...paramsOf('BTC'), backstopAddress: 'backstop' }
  scene
    .run({ type: 'ListMarket', params, oracle: 60_000_000_000 })
    .includes(...both('backstop'), { type: 'AccountOpened', address: 'backstop' })
})

test('eight provisional bindings of a key, the newest; the operator ends all (ACCT-4)', () => {
  const names = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((n) => `owner-${n}`)
  const scene = given({ funds: Object.fromEntries(names.map((name) => [name, 1])) })
  const bind = (name: string) => scene.own(name, 'BindAgent', { agent: 'bot', scopes: ['trade'] })
  for (const name of names.slice(0, 8)) bind(name).emits({ type: 'AgentBound' })
  const first = { type: 'AgentUnbound', account: scene.id('owner-1'), agent: 'bot' } as const
  bind('owner-9').emits({ ...first, reason: 'crowded_out' }, { type: 'AgentBound' })
  // One that is bound keeps its place.
  bind('owner-2').emits({ type: 'AgentBound' })
  const ended = { type: 'AgentUnbound', agent: 'bot', reason: 'operator' } as const
  const unbind = () => scene.run({ type: 'UnbindAgent', agent: 'bot' })
  unbind().emits(...names.slice(1).map((name) => ({ ...ended, account: scene.id(name) })))
  unbind().refused('AGENT_NOT_FOUND')
  bind('owner-1')
  const proof = proofOf('text', scene.now, { agent: 'bot' })
  scene.own('owner-1', 'CancelOrder', { proof, market: 1, order: 1 }).includes({
    type: 'AgentConfirmed',
  })
  unbind().emits({ ...ended, account: scene.id('owner-1') })
})

test('case 54: subaccounts of one owner crowd out each other and no stranger (ACCT-4)', () => {
  const row = worked('accounts', 54)
  const [first = 0, last = 0, next = 0] = row.given()
  const scene = given({ funds: { A: 1, B: 1, C: 1 } })
  const bind = (name: string) => scene.own(name, 'BindAgent', { agent: 'bot', scopes: ['trade'] })
  const subs = Array.from({ length: next }, (_, n) => `A-${n + 1}`)
  for (const address of subs) scene.own('A', 'CreateSubaccount', { address })
  for (const name of ['B', ...subs.slice(first - 1, last)]) bind(name).emits({ type: 'AgentBound' })
  const crowdedOut = (name: string) => {
    const outcome = bind(name).emits(
      { type: 'AgentUnbound', reason: 'crowded_out' },
      { type: 'AgentBound' },
    )
    const { account } = outcome.one('AgentUnbound')
    return 1 + subs.findIndex((sub) => scene.id(sub) === account)
  }
  row.says(crowdedOut(`A-${next}`), crowdedOut('C'))
})

test('agents are revoked one by one or all, in order of text; their orders stay (ACCT-4)', () => {
  const scene = given({ funds })
  for (const agent of ['c', 'b', 'a']) agentOf(scene, 'BindAgent', agent)
  const proof = proofOf('text', scene.now, { agent: 'b' })
  const { order } = scene.bid('A', 100, 59_000, { proof }).one('OrderPlaced')
  agentOf(scene, 'RevokeAgent', 'z').refused('AGENT_NOT_FOUND')
  agentOf(scene, 'RevokeAgent', 'b').emits({ type: 'AgentRevoked', agent: 'b' })
  scene
    .own('A', 'RevokeAllAgents')
    .emits({ type: 'AgentRevoked', agent: 'a' }, { type: 'AgentRevoked', agent: 'c' })
  assert.deepEqual(scene.account('A').orders, [order])
})

test('an agent has a list of addresses, of at most 50, and a switch (ACCT-4)', () => {
  const scene = given({ markets: [], funds })
  agentOf(scene, 'BindAgent', 'bot')
  const allow = (ip: string, agent = 'bot') => scene.own('A', 'AllowAgentIp', { agent, ip })
  allow('10.0.0.1', 'none').refused('AGENT_NOT_FOUND')
  allow('').refused('INVALID_PARAMETER', 0)
  for (let n = 1; n <= 50; n++)
    allow(`10.0.0.${n}`).emits({ type: 'AgentIpAllowed', agent: 'bot', ip: `10.0.0.${n}` })
  allow('10.0.0.51').refused('LIMIT_REACHED', 50)
  allow('10.0.0.50').accepted()
  const gone = { agent: 'bot', ip: '10.0.0.7' }
  scene.own('A', 'DisallowAgentIp', gone).emits({ type: 'AgentIpDisallowed', ...gone })
  scene.own('A', 'DisallowAgentIp', gone).emits({ type: 'AgentIpDisallowed', ...gone })
  scene.own('A', 'DisallowAgentIp', { ...gone, agent: 'none' }).refused('AGENT_NOT_FOUND')
  scene.own('A', 'DisallowAgentIp', { ...gone, ip: '' }).refused('INVALID_PARAMETER', 0)
  const filter = { agent: 'bot', enabled: true }
  scene.own('A', 'SetAgentIpFilter', filter).emits({ type: 'AgentIpFilterSet', ...filter })
  scene.own('A', 'SetAgentIpFilter', { ...filter, agent: 'none' }).refused('AGENT_NOT_FOUND')
})

test('an account has at most 5 API keys, and a prefix is one account’s (ACCT-5)', () => {
  const scene = given({ markets: [], funds })
  const create = (prefix: string, name = 'A', digest = 'digest') => {
    return scene.own(name, 'CreateApiKey', { prefix, digest })
  }
  const account = scene.id('A')
  create('one').emits({ type: 'ApiKeyCreated', account, prefix: 'one', bucket: 0 })
  create('one', 'B').refused('API_KEY_EXISTS')
  create('two', 'A', '').refused('INVALID_PARAMETER', 0)
  for (const prefix of ['two', 'three', 'four', 'five']) create(prefix).accepted()
  create('six').refused('LIMIT_REACHED', 5)
  scene.own('B', 'RevokeApiKey', { prefix: 'one' }).refused('API_KEY_NOT_FOUND')
  const credits = (prefix: string, amount: number) => {
    return scene.run({ type: 'SetApiKeyCredits', prefix, credits: amount })
  }
  credits('one', 500).emits({ type: 'ApiKeyCreditsSet', prefix: 'one', credits: 500 })
  credits('one', -1).refused('INVALID_PARAMETER', -1)
  credits('none', 1).refused('API_KEY_NOT_FOUND')
  scene.own('A', 'RevokeApiKey', { prefix: 'one' }).emits({ type: 'ApiKeyRevoked', prefix: 'one' })
  create('one', 'B').accepted()
})

test('case 55: a new API key takes over the lowest free bucket of its account (ACCT-5)', () => {
  const row = worked('accounts', 55)
  const [count = 0, ...gone] = row.given()
  const scene = given({ markets: [], funds })
  const create = (prefix: string, name = 'A') => {
    const created = scene.own(name, 'CreateApiKey', { prefix, digest: 'digest' })
    return created.one('ApiKeyCreated').bucket
  }
  const revoke = (prefix: string) => scene.own('A', 'RevokeApiKey', { prefix }).accepted()
  const buckets = Array.from({ length: count }, (_, n) => create(`key-${n}`))
  assert.equal(create('other', 'B'), 0)
  for (const bucket of gone) revoke(`key-${bucket}`)
  row.says(...buckets, ...gone.map((bucket) => create(`instead-of-${bucket}`)))
  revoke('key-0')
  assert.equal(create('last'), 0)
})

test('any agent makes and revokes API keys, from where its list allows (ACCT-5)', () => {
  const scene = given({ markets: [], funds })
  let texts = 0
  const by = (ip: string | null = null) => {
    texts += 1
    return { proof: proofOf(`text-${texts}`, scene.now, { agent: 'bot', ip }) }
  }
  const create = (prefix: string, proof: ReturnType<typeof by>, name = 'A') => {
    return scene.own(name, 'CreateApiKey', { prefix, digest: 'digest', ...proof })
  }
  create('one', by()).refused('AGENT_NOT_ALLOWED', 1)
  scene.own('A', 'BindAgent', { agent: 'bot', scopes: ['margin'] })
  create('one', by()).accepted()
  create('two', by(), 'B').refused('AGENT_NOT_ALLOWED', 1)
  scene.own('A', 'SetAgentIpFilter', { agent: 'bot', enabled: true })
  scene.own('A', 'AllowAgentIp', { agent: 'bot', ip: '10.0.0.1' })
  create('two', by('10.0.0.2')).refused('AGENT_NOT_ALLOWED', 5)
  create('two', by('10.0.0.1')).accepted()
  const revoke = (ip: string) => scene.own('A', 'RevokeApiKey', { prefix: 'one', ...by(ip) })
  revoke('10.0.0.2').refused('AGENT_NOT_ALLOWED', 5)
  revoke('10.0.0.1').accepted()
})

test('an account can be frozen and thawed, a reserved one cannot (ACCT-6)', () => {
  const scene = given({ funds })
  const freeze = (account: number, frozen: boolean) => {
    return scene.run({ type: 'FreezeAccount', account, frozen })
  }
  freeze(99, true).refused('ACCOUNT_NOT_FOUND', 99)
  freeze(2, true).refused('UNSUPPORTED_OPERATION')
  const account = scene.id('A')
  freeze(account, true).emits({ type: 'AccountFrozen', account, frozen: true })
  scene.bid('A', 100, 59_000).refused('TRADING_DISABLED')
  freeze(account, false).emits({ type: 'AccountFrozen', account, frozen: false })
  scene.bid('A', 100, 59_000).accepted()
})

test('case 37: a pending withdrawal leaves the balance immediately (ACCT-7)', () => {
  const row = worked('accounts', 37)
  const [amount = 0, first = 0, second = 0] = row.given()
  const scene = given({ funds: { A: amount } })
  const balances = [first, second].map((each) => {
    return withdraw(scene, each).one('WithdrawalRequested').balance
  })
  const { pending } = scene.account('A')
  scene.run({ type: 'FailWithdrawal', withdrawal: 1 })
  scene.run({ type: 'CompleteWithdrawal', withdrawal: 2 })
  row.says(...balances, pending, scene.balance('A'), scene.account('A').pending)
})

test('case 38: failed withdrawals count for the day too (ACCT-7)', () => {
  const row = worked('accounts', 38)
  const [large = 0, small = 0, much = 0] = row.given()
  const scene = given({ markets: [], funds: { A: 2 * 10 ** 13 } })
  withdraw(scene, large).accepted()
  scene.run({ type: 'FailWithdrawal', withdrawal: 1 })
  withdraw(scene, small).accepted()
  const refusal = withdraw(scene, much).one('CommandRejected')
  row.names(refusal.rejection)
  row.says(refusal.first, refusal.second)
})

test('case 39: an account can transfer as much as it can withdraw (ACCT-7)', () => {
  const row = worked('accounts', 39)
  const [balance = 0, lots = 0, price = 0, mark = 0, much = 0, fits = 0] = row.given()
  const scene = given({ tiers: freeTiers, funds: { A: balance, B: 10 ** 11 } })
  scene.own('A', 'CreateSubaccount', { address: 'A2' })
  scene.buys('A', 'B', lots, price)
  scene.mark(BTC, mark)
  const move = (amount: number) => scene.own('A', 'Transfer', { to: scene.id('A2'), amount })
  const refusal = move(much).one('CommandRejected')
  const { fromBalance, toBalance } = move(fits).one('Transferred')
  row.names(refusal.rejection)
  row.says(refusal.first, refusal.second, fromBalance, toBalance)
})
