// Commands for the small exchange that are fine, or nearly: each in the forms that take another
// road.

import type { CommandType } from '../../../src/core/commands/commands.ts'
import {
  alice,
  bob,
  chase,
  iceberg,
  level,
  listing,
  lowLevel,
  marketOrder,
  NOW_MS,
  order,
  twap,
} from './small-exchange.ts'

type Plain = Readonly<{ type: CommandType } & Record<string, unknown>>

const ofAlice = { account: alice, proof: null }
const inMarket = { ...ofAlice, market: 1 }
const proof = {
  textHash: 'text',
  signedAtMs: NOW_MS,
  expiresAtMs: NOW_MS + 1_000,
  agent: 'agent',
  ip: '10.0.0.1',
}
const policy = {
  markets: [2, 1],
  postOnly: false,
  reduceOnly: false,
  maxSlippagePpm: 20_000,
  maxOrderValue: 1_000_000_000,
  maxPositionValue: 5_000_000_000,
  maxDailyLoss: 100_000_000,
  expiresAt: NOW_MS + 60_000,
  allow: ['margin'],
}
const newLevel = { ...level, clientOrderId: 'new' }
const newLowLevel = { ...lowLevel, clientOrderId: 'new-low' }
const farLevel = { ...newLevel, stopPrice: 63_000, clientOrderId: null }
const restingLeg = {
  side: 'bid',
  price: 50_000,
  size: 50,
  reduceOnly: false,
  clientOrderId: 'leg',
}
const legLevel = { ...newLevel, size: 50, clientOrderId: null }
const broughtAlong = { level: legLevel, takeProfit: [farLevel], stopLoss: newLowLevel }
const byId = { order: 3, clientOrderId: null }
const byClientId = { order: null, clientOrderId: 'mine' }

export const sampleCommands: Readonly<Record<CommandType, readonly Omit<Plain, 'type'>[]>> = {
  PlaceOrder: [
    order,
    { ...order, takeProfit: newLevel, stopLoss: newLowLevel },
    { ...order, takeProfit: [newLevel, farLevel], stopLoss: [] },
    { ...order, market: 2, proof },
    { ...order, expireTime: NOW_MS + 5_000, stp: 'cancel_both' },
    { ...order, tif: 'ALO', price: 50_000, mmp: true },
  ],
  PlaceMarketOrder: [
    marketOrder,
    { ...marketOrder, stp: 'cancel_taker' },
    { ...marketOrder, takeProfit: newLevel, stopLoss: newLowLevel },
  ],
  PlaceStop: [
    { ...inMarket, side: 'bid', reduceOnly: false, level: newLevel },
    { ...inMarket, side: 'bid', reduceOnly: false, level: newLevel, expireTime: NOW_MS + 5_000 },
    { ...inMarket, side: 'bid', reduceOnly: false, ...broughtAlong },
  ],
  SetPositionTpsl: [
    { ...inMarket, side: 'bid', takeProfit: newLevel, stopLoss: newLowLevel },
    { ...inMarket, side: 'bid', takeProfit: [newLevel, farLevel] },
    { ...inMarket, side: 'bid', takeProfit: null, proof: { ...proof, expiresAtMs: null } },
  ],
  EditOrder: [
    { ...inMarket, ...byId, price: 59_001, size: 100 },
    { ...inMarket, ...byClientId, price: 58_000, size: 10 },
  ],
  CancelOrder: [
    { ...inMarket, ...byId },
    { ...inMarket, ...byClientId },
  ],
  CancelStop: [{ ...inMarket, order: null, clientOrderId: 'stop' }],
  CancelAllOrders: [{ ...ofAlice, market: null, excludeReduceOnly: true }],
  Batch: [
    {
      account: alice,
      actions: [
        order,
        { ...order, market: 2 },
        { type: 'CancelOrder', ...inMarket, ...byId },
        { type: 'EditOrder', ...inMarket, ...byClientId, price: 58_000, size: 10 },
      ],
    },
    {
      account: alice,
      proof,
      actions: [
        { type: 'CancelAllOrders', ...ofAlice, market: null, excludeReduceOnly: true },
        { type: 'PlaceStop', ...inMarket, side: 'bid', reduceOnly: false, level: newLevel },
        { ...order, market: 2 },
        { type: 'Quote', ...inMarket, side: 'bid', price: 50_000, size: 10, clientOrderId: 'q' },
        { type: 'Quote', ...inMarket, side: 'bid', price: 1, size: 0, clientOrderId: 'mine' },
      ],
    },
  ],
  ArmConnection: [{ ...ofAlice, connection: 'one', keepProtective: true, proof }],
  DisarmConnection: [{ account: alice, connection: 'armed' }],
  EndConnection: [{ account: alice, connection: 'armed' }],
  ScheduleCancel: [{ ...ofAlice, time: NOW_MS + 6_000, keepProtective: true }],
  PlaceTwap: [
    { ...twap, clientOrderId: 'other' },
    { ...twap, reduceOnly: true, size: 400 },
  ],
  PlaceIceberg: [
    { ...iceberg, clientOrderId: 'other' },
    { ...iceberg, side: 'ask', price: 70_000, expireTime: NOW_MS + 5_000 },
  ],
  PlaceChase: [
    { ...chase, clientOrderId: 'other' },
    { ...chase, side: 'ask', price: 60_500, expireTime: NOW_MS + 5_000 },
  ],
  CancelTwap: [{ account: bob, proof: null, market: 1, order: null, clientOrderId: 'slow' }],
  PlaceOco: [
    { ...inMarket, legs: [restingLeg, { side: 'bid', reduceOnly: false, level: legLevel }] },
    {
      ...inMarket,
      legs: [
        { side: 'bid', reduceOnly: false, level: legLevel },
        { side: 'ask', reduceOnly: false, level: { ...legLevel, stopPrice: 55_000 }, up: false },
      ],
      expireTime: NOW_MS + 5_000,
    },
  ],
  SetMmp: [
    { ...inMarket, limits: { windowMs: 1_000, frozenMs: 0, maxLots: 5, maxNet: null } },
    { ...inMarket, limits: null },
  ],
  ResetMmp: [inMarket],
  Deposit: [{ address: 'carol', amount: 1_000_000, reference: 'new' }],
  CreditDeposit: [{ address: 'carol', amount: 1_000_000, reference: 'new', by: 'ann' }],
  ApproveCredit: [
    { credit: 1, approver: 'ann' },
    { credit: 2, approver: 'ann' },
  ],
  DropCredit: [{ credit: 1 }],
  Withdraw: [{ ...ofAlice, amount: 2_000_000 }],
  ApproveWithdrawal: [{ withdrawal: 2, approver: 'ann' }],
  CompleteWithdrawal: [{ withdrawal: 1 }],
  FailWithdrawal: [{ withdrawal: 1 }, { withdrawal: 1, by: 'ann' }],
  CreateSubaccount: [{ ...ofAlice, address: 'alice-3' }],
  Transfer: [{ ...ofAlice, to: 8, amount: 1_000_000 }],
  SetLeverage: [
    { ...inMarket, leverage: 20 },
    { ...inMarket, market: 2, leverage: 20 },
  ],
  SetMarginMode: [{ ...inMarket, isolated: true }],
  MoveIsolatedMargin: [{ ...inMarket, amount: 1_000_000 }],
  BindAgent: [
    { ...ofAlice, agent: 'agent-2', scopes: ['trade', 'margin'] },
    { ...ofAlice, agent: 'agent', scopes: ['trade'], policy, ips: ['10.0.0.2', '10.0.0.1'] },
  ],
  SetAgentPolicy: [
    { ...ofAlice, agent: 'agent', policy },
    { ...ofAlice, agent: 'agent', policy: null },
  ],
  RevokeAgent: [{ ...ofAlice, agent: 'agent' }],
  RevokeAllAgents: [ofAlice],
  UnbindAgent: [{ agent: 'agent' }],
  AllowAgentIp: [{ ...ofAlice, agent: 'agent', ip: '10.0.0.2' }],
  DisallowAgentIp: [{ ...ofAlice, agent: 'agent', ip: '10.0.0.1' }],
  SetAgentIpFilter: [{ ...ofAlice, agent: 'agent', enabled: true }],
  CreateApiKey: [{ ...ofAlice, prefix: 'key-2', digest: 'digest' }],
  RevokeApiKey: [{ ...ofAlice, prefix: 'key' }],
  SetApiKeyCredits: [{ prefix: 'key', credits: 5 }],
  FreezeAccount: [{ account: alice, frozen: true }],
  ListMarket: [
    { ...listing, params: { ...listing.params, symbol: 'SOL-USD', backstopAddress: 'backstop-3' } },
  ],
  ChangeMarket: [
    { market: 1, change: { leverageMax: 60, orderValueMin: 2, bandNearPpm: 1, speedBumpMs: 5 } },
    { market: 1, change: { riskTiers: [{ fromValue: 5, maxLeverage: 5 }] } },
    { market: 1, change: { leverageMax: 5 }, immediate: true },
    { market: 2, change: { openInterestLower: 5, openInterestUpper: 10, openInterestMax: 3 } },
  ],
  CancelMarketChange: [{ market: 1, change: 1 }],
  SetMarketMode: [{ market: 1, mode: 'halted' }],
  SettleMarket: [{ market: 1, price: 60_000 }],
  SetFeeTiers: [
    {
      tiers: [
        { volumeDollars: 0, makerPpm: 1, takerPpm: 2 },
        { volumeDollars: 10, makerPpm: -1, takerPpm: 2 },
      ],
    },
  ],
  SetExchangeMode: [{ mode: 'cancel_only' }],
  MoveReserve: [
    { from: 2, to: 4, amount: 1_000 },
    { from: 2, to: alice, amount: 1_000, by: 'ann' },
  ],
  SetOwnerLimit: [
    { owner: alice, market: 1, lots: 5_000 },
    { owner: alice, market: 1, lots: null },
  ],
  SetInsuranceShare: [{ sharePpm: 50_000 }],
  SetFundDailyMax: [{ dailyMax: 250_000 }],
  SetWithdrawalLimits: [
    { approvalAbove: 1_000_000, dailyMax: 5_000_000 },
    { approvalAbove: null, dailyMax: null },
    { approvalAbove: null, dailyMax: null, creditApprovalAbove: null },
  ],
  SetWithdrawalBrake: [
    { fundPpm: 50_000, profitAbove: 1_000_000, holdMs: 60_000 },
    { fundPpm: null, profitAbove: 0, holdMs: 60_000 },
  ],
  Breach: [{ market: 1, invariant: 2 }],
  SetRulesVersion: [{ version: 2 }],
  SetClockFrozen: [{ frozen: true }],
  EngineStarted: [{}, { pricesStand: true }],
  KeepNote: [{ name: 'note', text: 'text' }],
  TellPast: [{ market: 1, bars: '[]' }],
  OracleTick: [{ market: 1, price: 60_000_000_000, observedAtMs: 5, jump: false }],
  Tick: [{}],
}
