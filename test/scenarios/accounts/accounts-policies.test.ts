// docs/rules/accounts.md, ACCT-9, through both engines: what a key with a policy may do.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tradingHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { anything, free, KEY, KeyScene } from '../../support/key-scene.ts'
import { worked } from '../../support/rule-table.ts'
import { BTC, ETH, given, levelAt, type Outcome, proofOf, START } from '../../support/scene.ts'

const dayMs = 86_400_000
const million = 10 ** 6
const numbersOf = (outcome: Outcome) => {
  const { first, second, third } = outcome.one('CommandRejected')
  return [first, second, third]
}

test('case 240: open bids count in full towards the limit of the key (ACCT-7, ACCT-9)', () => {
  const row = worked('accounts', 240)
  const [maxPositionValue, held = 0, resting = 0, mark = 0, size = 0] = row.given()
  const key = new KeyScene({ maxPositionValue })
  key.scene.buys('A', 'B', held, mark)
  key.scene.bid('A', resting, 59_000)
  const outcome = key.bid(size, 59_000)
  row.names(outcome.one('CommandRejected').rejection)
  row.says(...numbersOf(outcome))
  key.bid(1_333, 59_000).accepted()
  key.bid(1, 59_000, { size: 1 }).refused('ORDER_AMOUNT_TOO_LOW', 590_000, million)
  key.bid(2, 59_000).refused('AGENT_LIMIT', 6, 5_001_000_000, 5_000_000_000)
  key.scene.bid('A', size, 59_000).accepted()
})

test('case 241: a key does not go further from the mark (ACCT-7, ACCT-9)', () => {
  const row = worked('accounts', 241)
  const [maxSlippagePpm, mark = 0] = row.given()
  const key = new KeyScene({ maxSlippagePpm })
  assert.equal(key.scene.book().mark, mark)
  const [, , , over, last = 0, , under = 0, least = 0] = row.results().map(Number)
  const refused = [key.bid(100, over ?? 0), key.ask(100, under)]
  key.bid(100, last).accepted()
  key.scene.cancel('A', 1)
  key.ask(100, least).accepted()
  row.names('AGENT_LIMIT')
  row.says(last, least, ...refused.flatMap(numbersOf))
  assert.equal(refused[0]?.one('CommandRejected').rejection, 'AGENT_LIMIT')
})

test('case 242: deposits are not profit, and losses count (ACCT-7, ACCT-9)', () => {
  const row = worked('accounts', 242)
  const [maxDailyLoss, equity = 0, deposited = 0, left = 0] = row.given()
  const key = new KeyScene({ maxDailyLoss }, { ...free, funds: { A: equity, B: 10 ** 12 } })
  key.scene.buys('A', 'B', 10_000, 60_000)
  key.bid(100, 50_000).accepted()
  key.scene.deposit('A', deposited)
  key.scene.mark(BTC, 58_801)
  key.bid(100, 50_000).accepted()
  key.scene.mark(BTC, 58_800)
  assert.equal(key.scene.account('A').equity, left)
  const outcome = key.bid(100, 50_000)
  row.names(outcome.one('CommandRejected').rejection)
  row.says(...numbersOf(outcome))
})

test('a key is bound with its policy and its addresses (ACCT-4, ACCT-9)', () => {
  const key = new KeyScene(null)
  const account = key.scene.id('A')
  const of = { account, agent: KEY }
  key.scene.own('A', 'AllowAgentIp', { agent: KEY, ip: 'old' })
  key.scene.own('A', 'AllowAgentIp', { agent: KEY, ip: 'kept' })
  const policy = { markets: [2, 1, 2], maxOrderValue: 5, allow: ['margin', 'api_keys', 'margin'] }
  key.bind(policy, { ips: ['new', 'kept', 'new'] }).emits(
    { type: 'AgentBound', ...of },
    { type: 'AgentIpDisallowed', ...of, ip: 'old' },
    { type: 'AgentIpAllowed', ...of, ip: 'new' },
    { type: 'AgentIpFilterSet', ...of, enabled: true },
    {
      type: 'AgentPolicySet',
      ...of,
      ...{ removed: false, postOnly: false, reduceOnly: false, margin: true, apiKeys: true },
      ...{ maxSlippagePpm: -1, maxOrderValue: 5, maxPositionValue: -1, maxDailyLoss: -1 },
      ...{ expiresAt: -1, markets: '1,2' },
    },
  )
  key.bid(100, 59_000).refused('AGENT_NOT_ALLOWED', 5)
  key.bind(null).emits({ type: 'AgentBound', ...of })
  const at = { proof: proofOf('there', key.scene.now, { agent: KEY, ip: 'new' }) }
  key.scene.bid('A', 100, 59_000, at).refused('AGENT_LIMIT', 5, 59_000_000, 5)
  key.limit(null).emits({ type: 'AgentPolicySet', removed: true, markets: null, margin: false })
  const again = { proof: proofOf('again', key.scene.now, { agent: KEY, ip: 'kept' }) }
  key.scene.bid('A', 100, 59_000, again).accepted()
})

test('a policy has good fields, and its owner alone sets it (ACCT-9)', () => {
  const key = new KeyScene({})
  const { scene } = key
  const now = scene.now
  const bad: readonly Readonly<Record<string, unknown>>[] = [
    { markets: [] },
    { markets: [1, 3] },
    { markets: [0] },
    { markets: Array.from({ length: 33 }, () => 1) },
    { postOnly: 'yes' },
    { reduceOnly: null },
    { maxSlippagePpm: -1 },
    { maxSlippagePpm: million + 1 },
    { maxSlippagePpm: 0.5 },
    { maxOrderValue: 0 },
    { maxPositionValue: 2 ** 52 + 1 },
    { maxDailyLoss: 0.5 },
    { expiresAt: now },
    { expiresAt: 2 ** 53 },
    { allow: ['trade'] },
  ]
  for (const each of bad) {
    key.limit(each).refused('INVALID_PARAMETER', 0)
    key.bind(each).refused('INVALID_PARAMETER', 0)
  }
  key.limit({ markets: Array.from({ length: 32 }, () => 1), expiresAt: now + 1 }).accepted()
  key.limit({ maxSlippagePpm: 0, maxOrderValue: 2 ** 52, maxDailyLoss: 1 }).accepted()
  key.bind({}, { ips: [] }).refused('INVALID_PARAMETER', 0)
  key.bind({}, { ips: ['x'.repeat(129)] }).refused('INVALID_PARAMETER', 129)
  key.bind({}, { ips: Array.from({ length: 51 }, () => 'x') }).refused('LIMIT_REACHED', 50)
  const policy = { ...anything, postOnly: 'yes' }
  scene.own('A', 'SetAgentPolicy', { agent: 'x', policy }).refused('AGENT_NOT_FOUND')
  key.own('SetAgentPolicy', { agent: KEY, policy: null }).refused('AGENT_NOT_ALLOWED', 2)
  assert.equal(scene.state.accounts.limitedKeys, 1)
})

test('an expired key cannot even cancel, and its orders stay (CORE-6, ACCT-9)', () => {
  const key = new KeyScene({ expiresAt: START + 1_000 })
  key.bid(100, 59_000).accepted()
  key.scene.later(999)
  key.bid(100, 59_000).accepted()
  key.scene.later(1)
  key.bid(100, 59_000).refused('AGENT_NOT_ALLOWED', 6)
  const order = { market: BTC, order: 1, clientOrderId: null }
  key.own('CancelOrder', order).refused('AGENT_NOT_ALLOWED', 6)
  assert.deepEqual(key.scene.account('A').orders, [1, 2])
  key.scene.cancel('A', 1).accepted()
  key.limit({}).accepted()
  key.own('CancelOrder', { ...order, order: 2 }).accepted()
})

test('maker protection is not for a key with a policy (CORE-6, ORDER-18, ACCT-9)', () => {
  const key = new KeyScene({ allow: ['margin', 'api_keys'] })
  const limits = { windowMs: 1_000, frozenMs: 0, maxLots: 1, maxNet: null }
  key.scene.own('A', 'SetMmp', { market: BTC, limits }).accepted()
  key.own('SetMmp', { market: BTC, limits: null }).refused('AGENT_NOT_ALLOWED', 7)
  key.own('ResetMmp', { market: BTC }).refused('AGENT_NOT_ALLOWED', 7)
  key.limit(null)
  key.own('ResetMmp', { market: BTC }).accepted()
})

test('margin and API keys have to be allowed (CORE-6, ACCT-9)', () => {
  const key = new KeyScene({})
  const isolated = { market: ETH, isolated: true }
  const made = { prefix: 'p', digest: 'd' }
  const asks = () => [
    key.own('SetLeverage', { market: ETH, leverage: 5 }),
    key.own('SetMarginMode', isolated),
    key.own('MoveIsolatedMargin', { market: ETH, amount: 5 }),
    key.own('CreateApiKey', made),
    key.own('RevokeApiKey', { prefix: 'p' }),
  ]
  const causes = () =>
    asks().map(({ events }) => {
      const last = events.at(-1)!
      return last.type === 'CommandRejected' ? `${last.rejection} ${last.first}` : last.type
    })
  assert.deepEqual(new Set(causes()), new Set(['AGENT_NOT_ALLOWED 7']))
  key.limit({ allow: ['margin'] })
  const no = 'AGENT_NOT_ALLOWED 7'
  const flat = 'POSITION_NOT_FOUND 0'
  assert.deepEqual(causes(), ['LeverageSet', 'MarginModeSet', flat, no, no])
  key.limit({ allow: ['api_keys'] })
  assert.deepEqual(causes(), [no, no, no, 'ApiKeyCreated', 'ApiKeyRevoked'])
  key.limit(null)
  assert.deepEqual(causes(), [
    'LeverageSet',
    'MarginModeSet',
    flat,
    'ApiKeyCreated',
    'ApiKeyRevoked',
  ])
})

test('the first rule that is broken is the answer (ACCT-9)', () => {
  const key = new KeyScene({})
  key.scene.buys('A', 'B', 1_000, 60_000)
  key.bid(100, 60_000, { tif: 'ALO' }).accepted()
  const wide = { size: 1_000, price: 62_000, tif: 'GTC' }
  const policy = {
    ...{ markets: [ETH], postOnly: true, reduceOnly: true, maxSlippagePpm: 20_000 },
    ...{ maxOrderValue: 500_000_000, maxPositionValue: 1_000_000_000, maxDailyLoss: 1 },
  }
  const answers: readonly (readonly [string, unknown, readonly number[]])[] = [
    ['markets', null, [1, BTC]],
    ['postOnly', false, [2]],
    ['reduceOnly', false, [3]],
    ['maxSlippagePpm', null, [4, 62_000, 61_200]],
    ['maxOrderValue', null, [5, 620_000_000, 500_000_000]],
    ['maxPositionValue', null, [6, 1_260_000_000, 1_000_000_000]],
  ]
  let present: Readonly<Record<string, unknown>> = policy
  for (const [field, freed, numbers] of answers) {
    key.limit(present)
    key.bid(wide.size, wide.price, wide).refused('AGENT_LIMIT', ...numbers)
    present = { ...present, [field]: freed }
  }
  key.limit(present)
  key.scene.mark(BTC, 59_999)
  key.bid(wide.size, wide.price, wide).refused('AGENT_LIMIT', 7, 10_000, 1)
})

test('a post-only key may send ALO, TOB, edits and reduce-only stops (ACCT-9)', () => {
  const key = new KeyScene({ postOnly: true })
  const { scene } = key
  scene.buys('A', 'B', 1_000, 60_000)
  for (const tif of ['GTC', 'IOC', 'FOK']) key.bid(100, 59_000, { tif }).refused('AGENT_LIMIT', 2)
  const order = { market: BTC, side: 'bid', size: 100, slippagePpm: 1_000, reduceOnly: false }
  const rest = { clientOrderId: null, takeProfit: null, stopLoss: null }
  scene.ask('B', 100, 60_000)
  key.own('PlaceMarketOrder', { ...order, ...rest }).refused('AGENT_LIMIT', 2)
  key.twap(300).refused('AGENT_LIMIT', 2)
  const stop = { market: BTC, side: 'ask', level: levelAt(59_000, { size: 100 }) }
  key.own('PlaceStop', { ...stop, reduceOnly: false }).refused('AGENT_LIMIT', 2)
  key.own('PlaceStop', { ...stop, reduceOnly: true }).accepted()
  const alo = key.bid(100, 59_000, { tif: 'ALO' }).one('OrderPlaced').order
  key.bid(100, 60_500, { tif: 'TOB' }).includes({ type: 'OrderRested', price: 59_999 })
  key.edit(alo, 58_000, 50).accepted()
})

test('a market order is held to its slippage, also where it reduces (ACCT-9)', () => {
  const key = new KeyScene({ maxSlippagePpm: 5_000, maxOrderValue: 60_000_000 })
  const { scene } = key
  scene.buys('A', 'B', 1_000, 60_000)
  scene.bid('B', 1_000, 59_990)
  const rest = { clientOrderId: null, takeProfit: null, stopLoss: null }
  const sell = (slippagePpm: number, size: number) =>
    key.own('PlaceMarketOrder', {
      ...{ market: BTC, side: 'ask', size, slippagePpm, reduceOnly: true, ...rest },
    })
  sell(5_001, 100).refused('AGENT_LIMIT', 4, 59_700, 59_700)
  sell(10_000, 100).refused('AGENT_LIMIT', 4, 59_400, 59_700)
  sell(5_000, 101).refused('AGENT_LIMIT', 5, 60_600_000, 60_000_000)
  sell(5_000, 100).includes({ type: 'Traded', lots: 100 })
  key.ask(100, 59_699, { reduceOnly: true }).refused('AGENT_LIMIT', 4, 59_699, 59_700)
})

test('an edit is tested without the order that it replaces (ORDER-9, ACCT-9)', () => {
  const key = new KeyScene({ maxPositionValue: 60_000_000, maxSlippagePpm: 0 })
  const order = key.bid(100, 60_000, { tif: 'ALO' }).one('OrderPlaced').order
  key.bid(2, 60_000).refused('AGENT_LIMIT', 6, 61_200_000, 60_000_000)
  key.edit(order, 60_000, 101).refused('AGENT_LIMIT', 6, 60_600_000, 60_000_000)
  key.edit(order, 60_001, 100).refused('AGENT_LIMIT', 4, 60_001, 60_000)
  key.edit(order, 59_999, 100).includes({ type: 'OrderRested', price: 59_999 })
  key.scene
    .own('A', 'EditOrder', {
      ...{ market: BTC, order: order + 1, clientOrderId: null, price: 60_001, size: 500 },
    })
    .accepted()
})

test('reduce-only orders have no limit of size or time (ORDER-7, ACCT-9)', () => {
  const key = new KeyScene({ maxPositionValue: 1, maxDailyLoss: 1 })
  const { scene } = key
  scene.buys('A', 'B', 1_000, 60_000)
  key.ask(100, 61_000).refused('AGENT_LIMIT', 6, 600_000_000, 1)
  scene.mark(BTC, 59_000)
  key.ask(1_000, 61_000, { reduceOnly: true }).accepted()
  key.limit({ maxDailyLoss: 10_000_000 })
  key.ask(100, 61_000).refused('AGENT_LIMIT', 7, 10_000_000, 10_000_000)
  key.limit({ maxDailyLoss: 10_000_001 })
  key.ask(100, 61_000).accepted()
})

test('at its limit a key does not turn a position round with two orders (MARGIN-5, ACCT-9)', () => {
  const key = new KeyScene({ maxDailyLoss: 10_000_000 })
  const { scene } = key
  scene.buys('A', 'B', 1_000, 60_000)
  key.ask(1_000, 61_000).accepted()
  scene.mark(BTC, 59_000)
  // Each alone fits the position; after the first the second would open.
  key.ask(1_000, 60_500, { reduceOnly: true }).accepted()
  key.ask(1_000, 60_600).refused('AGENT_LIMIT', 7, 10_000_000, 10_000_000)
})

test('stops and TWAPs count with all of their size at mark (TRIG-2, TRIG-6, ACCT-9)', () => {
  const key = new KeyScene({ maxOrderValue: 60_000_000, maxPositionValue: 120_000_000 })
  const { scene } = key
  const stop = (side: string, size: number | null, more = {}) =>
    key.own('PlaceStop', {
      ...{ market: BTC, side, reduceOnly: false, ...more },
      level: levelAt(side === 'bid' ? 65_000 : 55_000, { size }),
    })
  stop('bid', 101).refused('AGENT_LIMIT', 5, 60_600_000, 60_000_000)
  stop('bid', 100).accepted()
  stop('bid', 2 ** 53 - 1).refused('AGENT_LIMIT', 5, 2 ** 53 - 1, 60_000_000)
  key.twap(101).refused('AGENT_LIMIT', 5, 60_600_000, 60_000_000)
  scene.buys('A', 'B', 110, 60_000)
  stop('bid', 91).refused('AGENT_LIMIT', 6, 120_600_000, 120_000_000)
  key.twap(91).refused('AGENT_LIMIT', 6, 120_600_000, 120_000_000)
  stop('ask', null, { reduceOnly: true }).refused('AGENT_LIMIT', 5, 66_000_000, 60_000_000)
  stop('bid', null, { reduceOnly: true }).accepted()
  stop('ask', 100).accepted()
  key.limit({ markets: [ETH] })
  stop('ask', 100).refused('AGENT_LIMIT', 1, BTC)
  key.twap(100).refused('AGENT_LIMIT', 1, BTC)
  key.limit({ maxSlippagePpm: 9_999 })
  key.twap(100).refused('AGENT_LIMIT', 4, 60_600, 60_599)
  key.limit({ maxSlippagePpm: 10_000, reduceOnly: true })
  key.twap(300).refused('AGENT_LIMIT', 3)
  key.twap(100, { side: 'ask', reduceOnly: true }).accepted()
})

test('each leg of a pair is checked, the second as if the first stood (TRIG-14, ACCT-9)', () => {
  const pair = (
    size: number,
    maxPositionValue: number,
    restsFirst: boolean,
    reduceOnly = false,
  ) => {
    const key = new KeyScene({ maxPositionValue })
    if (reduceOnly) key.scene.buys('B', 'A', size, 60_000)
    const same = { side: 'bid', reduceOnly }
    const rests = { ...same, price: 59_000, size, clientOrderId: null }
    const stops = { ...same, level: levelAt(61_000, { size }) }
    const legs = restsFirst ? [rests, stops] : [stops, rests]
    return key.own('PlaceOco', { market: BTC, legs })
  }
  pair(100, 120_000_000, true).accepted()
  pair(100, 119_999_999, true).refused('AGENT_LIMIT', 6, 120_000_000, 119_999_999)
  // A stop that stands holds no lots.
  pair(100, 60_000_000, false).accepted()
  pair(100, 59_999_999, false).refused('AGENT_LIMIT', 6, 60_000_000, 59_999_999)
  pair(100, 1, true, true).accepted()
})

test('just below its limit of the day a key may turn a position round once (ACCT-9)', () => {
  const policy = { maxSlippagePpm: 20_000, maxPositionValue: 5_000 * million }
  const key = new KeyScene({ ...policy, maxDailyLoss: 100 * million })
  const { scene } = key
  const { equity } = scene.account('A')
  const lost = () => equity - scene.account('A').equity
  const meet = (side: 'bid' | 'ask', size: number, price: number) => scene[side]('B', size, price)
  meet('ask', 7_900, 61_200)
  key.bid(7_900, 61_200).accepted()
  assert.equal(lost(), 94.8 * million)
  meet('bid', 16_000, 58_800)
  key.ask(16_000, 58_800).accepted()
  assert.equal(lost(), 286.8 * million)
  key.ask(100, 58_800).refused('AGENT_LIMIT', 7, 286.8 * million, 100 * million)
  meet('ask', 8_100, 61_200)
  key.bid(8_100, 61_200, { reduceOnly: true }).accepted()
  // The loss of the day, and three times the slippage of the largest position: 100 + 3 × 100.
  assert.equal(lost(), 384 * million)
})

test('levels of a position are checked only for their market (TRIG-2, ACCT-9)', () => {
  const key = new KeyScene({ markets: [ETH], postOnly: true, maxOrderValue: 1 })
  const { scene } = key
  scene.buys('A', 'B', 100, 60_000)
  scene.buys('A', 'B', 100, 30_000, ETH)
  const levels = (market: number, more: object) =>
    key.own('SetPositionTpsl', { market, side: 'bid', ...more })
  const stopLoss = levelAt(20_000)
  levels(BTC, { stopLoss }).refused('AGENT_LIMIT', 1, BTC)
  levels(BTC, { takeProfit: null, stopLoss: null }).accepted()
  levels(BTC, {}).accepted()
  levels(ETH, { takeProfit: null, stopLoss }).accepted()
  const long = { ...stopLoss, clientOrderId: 'x'.repeat(129) }
  levels(BTC, { stopLoss: long }).refused('AGENT_LIMIT', 1, BTC)
})

test('AGENT_LIMIT stands between the limit of the owner and the margin (ORDER-1, ACCT-9)', () => {
  const poor = { ...free, funds: { A: 10 ** 6, B: 10 ** 12 } }
  const key = new KeyScene({ maxOrderValue: 2_000_000 }, poor)
  const { scene } = key
  key.bid(1_000, 59_000).refused('AGENT_LIMIT', 5, 590_000_000, 2_000_000)
  key.limit({})
  key.bid(1_000, 59_000).refused('INSUFFICIENT_BALANCE', 12_000_000, 1_000_000)
  scene.run({ type: 'SetOwnerLimit', owner: scene.id('A'), market: BTC, lots: 10 })
  key.limit({ maxOrderValue: 2_000_000 })
  key.bid(1_000, 59_000).refused('POSITION_LIMIT_EXCEEDED', 1_000, 10)
  scene.run({ type: 'SetOwnerLimit', owner: scene.id('A'), market: BTC, lots: null })
  key.bid(1_000, 59_000, { tif: 'FOK' }).refused('AGENT_LIMIT', 5, 590_000_000, 2_000_000)
})

test('dayHigh follows deposits and withdrawals, and ends with the day (ACCT-9)', () => {
  const loss = 10_000_000
  const setting = { ...free, funds: { A: 10 ** 9, B: 10 ** 12, insurance: 10 ** 9 } }
  const key = new KeyScene({ maxDailyLoss: loss + 1 }, setting)
  const { scene } = key
  const withdrawn = 300 * million
  scene.own('A', 'CreateSubaccount', { address: 'A2' })
  scene.buys('A', 'B', 1_000, 60_000)
  key.bid(100, 50_000).accepted()
  scene.own('A', 'Transfer', { to: scene.id('A2'), amount: 100 * million }).accepted()
  scene.own('A2', 'Transfer', { to: scene.id('A'), amount: 40 * million }).accepted()
  scene.own('A', 'Withdraw', { amount: withdrawn }).accepted()
  scene.own('A', 'Withdraw', { amount: million }).accepted()
  scene.run({ type: 'FailWithdrawal', withdrawal: 1 }).accepted()
  scene.run({ type: 'CompleteWithdrawal', withdrawal: 2 }).accepted()
  scene.run({ type: 'MoveReserve', from: 2, to: scene.id('A'), amount: 7 * million }).accepted()
  scene.run({ type: 'MoveReserve', from: scene.id('A'), to: 2, amount: 2 * million }).accepted()
  scene.mark(BTC, 59_000)
  key.bid(100, 50_000).accepted()
  key.limit({ maxDailyLoss: loss })
  key.bid(100, 50_000).refused('AGENT_LIMIT', 7, loss, loss)
  scene.now = Math.ceil(START / dayMs) * dayMs
  scene.revive(BTC)
  key.bid(100, 50_000).accepted()
  scene.mark(BTC, 58_000)
  key.bid(100, 50_000).refused('AGENT_LIMIT', 7, loss, loss)
  key.limit({ maxDailyLoss: loss, postOnly: false })
  key.bid(100, 50_000).refused('AGENT_LIMIT', 7, loss, loss)
  key.limit(null)
  key.limit({ maxDailyLoss: loss })
  key.bid(100, 50_000).accepted()
})

test('isolated positions are part of the equity of the day (MARGIN-6, ACCT-9)', () => {
  const key = new KeyScene({ maxDailyLoss: 5_000_000 })
  const { scene } = key
  scene.own('A', 'SetMarginMode', { market: ETH, isolated: true }).accepted()
  scene.buys('A', 'B', 1_000, 30_000, ETH)
  key.bid(100, 50_000).accepted()
  const mark = 30_000 - 5_000_000 / (1_000 * 100)
  scene.mark(ETH, mark + 1)
  key.bid(100, 50_000).accepted()
  scene.mark(ETH, mark)
  key.bid(100, 50_000).refused('AGENT_LIMIT', 7, 5_000_000, 5_000_000)
})

test('a refused order is a moment of the day, and changes no trading (CORE-4, ACCT-9)', () => {
  const key = new KeyScene({ maxOrderValue: million, maxDailyLoss: 10_000_000 })
  const { scene } = key
  scene.buys('A', 'B', 1_000, 60_000)
  const before = tradingHash(scene.state)
  key.bid(100, 50_000).refused('AGENT_LIMIT', 5, 50_000_000, million)
  assert.equal(tradingHash(scene.state), before)
  scene.mark(BTC, 59_000)
  key.limit({ maxDailyLoss: 10_000_000 })
  key.bid(100, 50_000).refused('AGENT_LIMIT', 7, 10_000_000, 10_000_000)
})

test('no policy keeps a live key from cancelling (ORDER-8, TRIG-7, ACCT-9)', () => {
  const strict = { markets: [ETH], postOnly: true, reduceOnly: true, maxSlippagePpm: 0 }
  const key = new KeyScene({ ...strict, maxOrderValue: 1, maxPositionValue: 1, maxDailyLoss: 1 })
  const { scene } = key
  scene.bid('A', 100, 50_000)
  scene.bid('A', 100, 50_000)
  const { order: stop } = scene.stop('A', 'bid', levelAt(70_000, { size: 100 })).one('StopPlaced')
  const plan = { market: BTC, side: 'bid', size: 300, reduceOnly: false, slippagePpm: 0 }
  const rest = { durationSeconds: 60, clientOrderId: null }
  const { order: twap } = scene.own('A', 'PlaceTwap', { ...plan, ...rest }).one('AlgoPlaced')
  scene.mark(BTC, 59_000)
  const cancel = (type: 'CancelOrder' | 'CancelStop' | 'CancelTwap', order: number) =>
    key.own(type, { market: BTC, order, clientOrderId: null }).accepted()
  cancel('CancelOrder', 1)
  cancel('CancelStop', stop)
  cancel('CancelTwap', twap)
  key.own('ScheduleCancel', { time: scene.now + 5_000, keepProtective: false }).accepted()
  key.own('CancelAllOrders', { market: null, excludeReduceOnly: false }).accepted()
  assert.deepEqual(scene.account('A').orders, [])
})

test('a key without a policy, and the owner, are not limited (ACCT-9)', () => {
  const key = new KeyScene({ markets: [ETH], expiresAt: START + 1 })
  const { scene } = key
  scene.own('A', 'BindAgent', { agent: 'other', scopes: ['trade'] })
  const proof = proofOf('other', scene.now, { agent: 'other' })
  scene.bid('A', 100, 59_000, { proof }).accepted()
  scene.bid('A', 100, 59_000).accepted()
  scene.later(5)
  scene.bid('A', 100, 59_000, { proof: proofOf('own', scene.now) }).accepted()
  assert.equal(given(free).state.accounts.limitedKeys, 0)
})
