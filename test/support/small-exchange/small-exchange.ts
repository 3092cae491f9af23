// A small exchange in the middle of its day, as bytes: positions on both sides, resting and waiting
// orders, stops, levels, a TWAP, agents, keys, pending withdrawals and an announced change, and
// nothing due or queued.

import type { Command } from '../../../src/core/commands/commands.ts'
import { apply, createState } from '../../../src/core/engine.ts'
import type { Event } from '../../../src/core/events/event-fields.ts'
import { EventLog } from '../../../src/core/events/event-log.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import type { TimeMs } from '../../../src/units/units.ts'

type Plain = Readonly<{ type: Command['type'] } & Record<string, unknown>>

export const NOW_MS = 1_750_003_210_000 as TimeMs

const params = {
  symbol: 'BTC-USD',
  baseAsset: 'BTC',
  tickSize: { value: 1, scale: 0 },
  lotSize: { value: 1, scale: 5 },
  tickMin: 1,
  tickMax: 200_000,
  leverageMax: 50,
  isolatedOnly: false,
  orderValueMin: 1_000_000,
  orderValueMax: 2 ** 52,
  bandNearPpm: 50_000,
  bandFarPpm: 500_000,
  speedBumpMs: 0,
  openInterestMax: 1_000_000_000,
  ownerInterestMax: 1_000_000_000,
  openInterestLower: 0,
  openInterestUpper: 0,
  riskTiers: [{ fromValue: 1_000_000_000_000, maxLeverage: 10 }],
  impactValue: 1_000_000_000,
  fundingSamplesMin: 360,
  staleAfterMs: 10_000,
  observedWithinMs: 1_000,
  minSources: 2,
  backstopAddress: 'backstop-1',
  backstopValueMax: 1_000_000_000_000,
  backstopDailyLossMax: 1_000_000_000_000,
  liquidationFeePartPpm: 400_000,
  liquidationFeePpmMax: 7_500,
  liquidationConcessionPpm: 500_000,
  liquidationDryMax: 3,
  liquidationStepMax: 100_000_000_000,
}

export const level = {
  stopPrice: 61_000,
  limitPrice: 61_500,
  size: 10,
  triggerBy: 'mark',
  clientOrderId: 'level',
}

export const lowLevel = { ...level, stopPrice: 50_000, clientOrderId: 'low' }

/** Accounts: 1 to 3 reserved, 4 and 5 backstops, then alice, bob and alice's subaccount. */
export const alice = 6
export const bob = 7

export const order = {
  type: 'PlaceOrder',
  account: alice,
  proof: null,
  market: 1,
  side: 'bid',
  price: 59_000,
  size: 100,
  tif: 'GTC',
  reduceOnly: false,
  clientOrderId: null,
  takeProfit: null,
  stopLoss: null,
} as const satisfies Plain

export const marketOrder = {
  type: 'PlaceMarketOrder',
  account: alice,
  proof: null,
  market: 1,
  side: 'bid',
  size: 100,
  slippagePpm: 10_000,
  reduceOnly: false,
  clientOrderId: null,
  takeProfit: null,
  stopLoss: null,
} as const satisfies Plain

const mmpLimits = { windowMs: 1_000, frozenMs: 0, maxLots: 5, maxNet: null }
export const twap = {
  type: 'PlaceTwap',
  account: bob,
  proof: null,
  market: 1,
  side: 'bid',
  size: 3_000,
  reduceOnly: false,
  slippagePpm: 5_000,
  durationSeconds: 120,
  clientOrderId: 'slow',
} as const satisfies Plain

export const iceberg = {
  type: 'PlaceIceberg',
  account: bob,
  proof: null,
  market: 1,
  side: 'bid',
  size: 300,
  display: 100,
  price: 50_000,
  reduceOnly: false,
  expireTime: null,
  clientOrderId: 'cold',
} as const satisfies Plain

export const chase = {
  type: 'PlaceChase',
  account: bob,
  proof: null,
  market: 1,
  side: 'bid',
  size: 200,
  price: 59_500,
  reduceOnly: false,
  expireTime: null,
  clientOrderId: 'hot',
} as const satisfies Plain

export const listing = { type: 'ListMarket', params, oracle: 60_000_000_000 } as const

const proof = null
const deposit = (address: string, amount: number): Plain => {
  return { type: 'Deposit', address, amount, reference: `for ${address}` }
}

const opening: readonly Plain[] = [
  listing,
  {
    ...listing,
    params: {
      ...params,
      symbol: 'ETH-USD',
      backstopAddress: 'backstop-2',
      speedBumpMs: 200,
      isolatedOnly: true,
    },
  },
  deposit('alice', 1_000_000_000_000),
  deposit('bob', 1_000_000_000_000),
  deposit('insurance', 1_000_000_000),
  { type: 'CreateSubaccount', account: alice, proof, address: 'alice-2' },
  { ...order, account: bob, side: 'ask', price: 60_001, size: 1_000 },
  { ...order, price: 60_001, size: 500, tif: 'IOC' },
  { ...order, clientOrderId: 'mine', takeProfit: level, stopLoss: lowLevel },
  { ...order, side: 'ask', price: 62_000, reduceOnly: true, size: 400 },
  { ...order, market: 2, clientOrderId: 'waits' },
  {
    type: 'PlaceStop',
    account: alice,
    proof,
    market: 1,
    side: 'bid',
    reduceOnly: false,
    level: { ...level, clientOrderId: 'stop' },
  },
  {
    type: 'SetPositionTpsl',
    account: alice,
    proof,
    market: 1,
    side: 'bid',
    takeProfit: { ...level, clientOrderId: 'profit' },
    stopLoss: { ...level, stopPrice: 55_000, limitPrice: null, clientOrderId: 'loss' },
  },
  twap,
  iceberg,
  chase,
  { type: 'BindAgent', account: alice, proof, agent: 'agent', scopes: ['trade'] },
  { type: 'AllowAgentIp', account: alice, proof, agent: 'agent', ip: '10.0.0.1' },
  { type: 'CreateApiKey', account: alice, proof, prefix: 'key', digest: 'digest' },
  { type: 'Withdraw', account: alice, proof, amount: 5_000_000 },
  {
    type: 'SetWithdrawalLimits',
    ...{ approvalAbove: 5_000_000, dailyMax: null, creditApprovalAbove: 500 },
  },
  { type: 'CreditDeposit', address: 'alice', amount: 1_000, reference: 'by hand', by: 'bob' },
  { type: 'MoveReserve', from: 2, to: alice, amount: 600, by: 'bob' },
  { type: 'SetWithdrawalBrake', fundPpm: 50_000, profitAbove: 1_000, holdMs: 60_000 },
  { type: 'Withdraw', account: alice, proof, amount: 6_000_000 },
  { type: 'ApproveWithdrawal', withdrawal: 2, approver: 'bob' },
  { type: 'ArmConnection', account: alice, proof, connection: 'armed', keepProtective: false },
  { type: 'SetMmp', account: alice, proof, market: 1, limits: mmpLimits },
  { type: 'ChangeMarket', market: 1, change: { leverageMax: 20 } },
]

/** The exchange, and the events of building it. */
export function smallExchange(): Readonly<{ bytes: Uint8Array; seq: number; events: Event[] }> {
  const state = createState({
    pricesMayStand: true,
    feesAddress: 'fees',
    insuranceAddress: 'insurance',
    deficitAddress: 'deficit',
    feeTiers: [{ volumeDollars: 0, makerPpm: 150, takerPpm: 400 }] as never,
  })
  const log = new EventLog()
  const events: Event[] = []
  let seq = 0
  const submit = (command: Plain) => {
    log.clear()
    seq += 1
    apply(state, { seq, atMs: NOW_MS, command: command as unknown as Command }, log)
    events.push(...log.readAll())
  }
  for (const command of opening) submit(command)
  // The first slice of a TWAP is due immediately: with the next command.
  submit({ type: 'Tick' })
  return { bytes: encodeState(state), seq, events }
}
