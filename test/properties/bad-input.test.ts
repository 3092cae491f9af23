// Whatever is asked, the core answers: a typed refusal that changes nothing, or acceptance. It
// never throws. Each command is taken as it should be, and any of its values is bent: out of range,
// off the grid, unknown, contradicting another.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Command, CommandType } from '../../src/core/commands/commands.ts'
import { rejections } from '../../src/core/commands/rejections.ts'
import { apply } from '../../src/core/engine.ts'
import { type Event, eventTypes } from '../../src/core/events/event-fields.ts'
import { EventLog } from '../../src/core/events/event-log.ts'
import { decodeState } from '../../src/core/snapshot/decode.ts'
import { tradingHash } from '../../src/sequencer/snapshots/state-hash.ts'
import { badNumbers, badTexts, badWords } from '../support/differential/spoil.ts'
import {
  alice,
  bob,
  level,
  listing,
  lowLevel,
  marketOrder,
  NOW_MS,
  order,
  smallExchange,
  twap,
} from '../support/small-exchange.ts'

type Plain = Readonly<{ type: CommandType } & Record<string, unknown>>

const ofAlice = { account: alice, proof: null }
const inMarket = { ...ofAlice, market: 1 }
const proof = {
  textHash: 'text',
  receivedAtMs: NOW_MS,
  expiresAtMs: NOW_MS + 1_000,
  agent: 'agent',
  ip: '10.0.0.1',
}
const newLevel = { ...level, clientOrderId: 'new' }
const newLowLevel = { ...lowLevel, clientOrderId: 'new-low' }
const byId = { order: 3, clientOrderId: null }
const byClientId = { order: null, clientOrderId: 'mine' }

/** Commands that are fine, or nearly: each in the forms that take another road. */
const samples: Readonly<Record<CommandType, readonly Omit<Plain, 'type'>[]>> = {
  PlaceOrder: [
    order,
    { ...order, takeProfit: newLevel, stopLoss: newLowLevel },
    { ...order, market: 2, proof },
  ],
  PlaceMarketOrder: [marketOrder, { ...marketOrder, takeProfit: newLevel, stopLoss: newLowLevel }],
  PlaceStop: [{ ...inMarket, side: 'bid', reduceOnly: false, level: newLevel }],
  SetPositionTpsl: [
    { ...inMarket, side: 'bid', takeProfit: newLevel, stopLoss: newLowLevel },
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
  ],
  ArmConnection: [{ ...ofAlice, connection: 'one', keepProtective: true, proof }],
  DisarmConnection: [{ account: alice, connection: 'armed' }],
  EndConnection: [{ account: alice, connection: 'armed' }],
  ScheduleCancel: [{ ...ofAlice, time: NOW_MS + 6_000, keepProtective: true }],
  PlaceTwap: [
    { ...twap, clientOrderId: 'other' },
    { ...twap, reduceOnly: true, size: 400 },
  ],
  CancelTwap: [{ account: bob, proof: null, market: 1, order: null, clientOrderId: 'slow' }],
  Deposit: [{ address: 'carol', amount: 1_000_000, reference: 'new' }],
  Withdraw: [{ ...ofAlice, amount: 2_000_000 }],
  CompleteWithdrawal: [{ withdrawal: 1 }],
  FailWithdrawal: [{ withdrawal: 1 }],
  CreateSubaccount: [{ ...ofAlice, address: 'alice-3' }],
  Transfer: [{ ...ofAlice, to: 8, amount: 1_000_000 }],
  SetLeverage: [
    { ...inMarket, leverage: 20 },
    { ...inMarket, market: 2, leverage: 20 },
  ],
  SetMarginMode: [{ ...inMarket, isolated: true }],
  MoveIsolatedMargin: [{ ...inMarket, amount: 1_000_000 }],
  BindAgent: [{ ...ofAlice, agent: 'agent-2', scopes: ['trade', 'margin'] }],
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
    { market: 1, change: { maintenanceTiers: [{ fromValue: 5, fractionPpm: 90_000 }] } },
    { market: 2, change: { openInterestLower: 5, openInterestUpper: 10, openInterestMax: 3 } },
  ],
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
  MoveReserve: [{ market: 1, amount: 1_000 }],
  Breach: [{ market: 1, invariant: 2 }],
  SetRulesVersion: [{ version: 2 }],
  SetClockFrozen: [{ frozen: true }],
  EngineStarted: [{}, { pricesStand: true }],
  KeepNote: [{ name: 'note', text: 'text' }],
  TellPast: [{ market: 1, bars: '[]' }],
  OracleTick: [{ market: 1, price: 60_000_000_000, external: 60_000_000_000, jump: false }],
  Tick: [{}],
}

const words = new Set(['side', 'tif', 'triggerBy', 'mode', 'scopes'])
/** What the sequencer, not a client, vouches for, and free numbers of operators. */
const vouched = new Set(['type', 'proof', 'invariant'])
/** What is absent or whole: these are null or a record, never a number. */
const records = new Set(['takeProfit', 'stopLoss'])

/** The value as it is, mostly, or one that is wrong for its place. */
function bent(key: string, value: unknown): fc.Arbitrary<unknown> {
  if (vouched.has(key) || (records.has(key) && value === null)) return fc.constant(value)
  if (Array.isArray(value)) {
    const list = fc.tuple(...value.map((inner) => bent(key, inner)))
    const doubled = list.map((inner) => [...inner, ...inner])
    return fc.oneof({ weight: 6, arbitrary: list }, doubled, fc.constant([]))
  }
  if (typeof value === 'object' && value !== null) return bentRecord(value)
  const wrong = wrongFor(key, value)
  return fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, { weight: 2, arbitrary: wrong })
}

function bentRecord(value: object): fc.Arbitrary<object> {
  const entries = Object.entries(value).map(([key, inner]) => [key, bent(key, inner)] as const)
  return fc.record(Object.fromEntries(entries))
}

function wrongFor(key: string, value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === 'boolean') return fc.boolean()
  if (words.has(key)) return fc.constantFrom(...badWords, 'bid', 'ask', 'FOK', 'ALO', 'TOB', 'last')
  if (typeof value === 'string' || key === 'clientOrderId') {
    return fc.constantFrom(...badTexts, 'mine', 'stop', 'profit', 'alice', 'fees', 'agent')
  }
  const near = typeof value === 'number' ? value : 1
  return fc.oneof(
    fc.constantFrom(...badNumbers),
    fc.integer({ min: -2, max: 12 }),
    fc.constantFrom(near + 1, near - 1, near * 2, -near, near + 0.25),
    fc.maxSafeInteger(),
    fc.double(),
  )
}

const { bytes, seq, events: built } = smallExchange()

test('the small exchange was built without a refusal', () => {
  const refused = built.filter(({ type }) => type === 'CommandRejected')
  assert.deepEqual(refused, [])
})

function answerTo(command: Command): Readonly<{ events: Event[]; before: string; after: string }> {
  const state = decodeState(bytes)
  const before = tradingHash(state)
  const log = new EventLog()
  apply(state, { seq: seq + 1, atMs: NOW_MS, command }, log)
  return { events: log.readAll(), before, after: tradingHash(state) }
}

for (const [type, forms] of Object.entries(samples)) {
  test(`${type}: bent values are refused or harmless`, () => {
    const commands = fc.oneof(...forms.map((form) => bentRecord({ type, ...form })))
    const check = (command: object) => {
      const { events, before, after } = answerTo(command as Command)
      for (const event of events) assert.ok(eventTypes.includes(event.type))
      const refused = events.filter((event) => event.type === 'CommandRejected')
      for (const { rejection } of refused) assert.ok(rejection in rejections)
      const batched = events.some((event) => event.type === 'BatchActionStarted')
      if (refused.length === 0 || batched) return
      assert.equal(refused.length, 1)
      assert.equal(events.at(-1)?.type, 'CommandRejected')
      assert.equal(after, before)
    }
    fc.assert(fc.property(commands, check), { seed: 1, numRuns: 300, includeErrorInReport: true })
  })
}

for (const [type, forms] of Object.entries(samples)) {
  test(`${type}: the samples are not all refused`, () => {
    const alwaysRefused = type === 'SetRulesVersion' || type === 'MoveIsolatedMargin'
    const answers = forms.map((form) => answerTo({ type, ...form } as unknown as Command).events)
    const refused = answers.map((events) =>
      events.some((event) => event.type === 'CommandRejected'),
    )
    const allowed = alwaysRefused || type === 'SetMarginMode' || refused.includes(false)
    assert.ok(allowed, JSON.stringify(answers))
  })
}
