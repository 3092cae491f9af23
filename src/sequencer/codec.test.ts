import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Generator } from '../../test/support/differential/generator.ts'
import { apply, createState } from '../core/engine.ts'
import { type Command, type CommandType, EventLog } from '../core/index.ts'
import type { TimeMs } from '../units/units.ts'
import { decodeEntry, encodeEntry, type Stamped } from './codec.ts'
import type { Entry } from './entry.ts'
import { inexactField } from './exact.ts'

function roundTrip(stamped: Stamped): Stamped {
  const bytes = encodeEntry(stamped)
  // Inside of other bytes, as in a frame.
  const around = Buffer.concat([Buffer.from('{"'), bytes, Buffer.from('"}')])
  return decodeEntry(around, 2, 2 + bytes.length)
}

// Text with everything that JSON or UTF-8 could trip over, a lone surrogate too.
const text = fc.string({ unit: 'binary', maxLength: 12 })
const whole = fc.maxSafeInteger()
const positive = fc.integer({ min: 1 })
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })
const side = fc.constantFrom('bid', 'ask')
// As `JSON.parse` makes them, and the gateway.
const plain = { noNullPrototype: true }
const level = fc.record(
  {
    stopPrice: positive,
    limitPrice: orNull(positive),
    size: orNull(positive),
    triggerBy: fc.constantFrom('mark', 'last', 'mid'),
    clientOrderId: orNull(text),
  },
  plain,
)
const proof = fc.record(
  {
    textHash: text,
    receivedAtMs: whole,
    expiresAtMs: orNull(whole),
    agent: orNull(text),
    ip: orNull(text),
  },
  plain,
)
const onMarket = { account: positive, proof: orNull(proof), market: positive }
const ref = { order: orNull(positive), clientOrderId: orNull(text) }
const tpsl = { takeProfit: orNull(level), stopLoss: orNull(level) }
const order = {
  ...onMarket,
  side,
  size: positive,
  reduceOnly: fc.boolean(),
  clientOrderId: ref.clientOrderId,
  ...tpsl,
}
const typed = (type: CommandType, fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ type: fc.constant(type), ...fields }, plain)

const actions = [
  typed('PlaceOrder', { ...order, price: positive, tif: fc.constantFrom('GTC', 'IOC', 'ALO') }),
  typed('PlaceMarketOrder', { ...order, slippagePpm: positive }),
  typed('CancelOrder', { ...onMarket, ...ref }),
  typed('CancelStop', { ...onMarket, ...ref }),
  typed('EditOrder', { ...onMarket, ...ref, price: positive, size: positive }),
  // Absent, null and given are three different wishes.
  fc.record(
    { type: fc.constant('SetPositionTpsl'), ...onMarket, side, ...tpsl },
    { requiredKeys: ['type', 'account', 'proof', 'market', 'side'], ...plain },
  ),
]
const action = fc.oneof(...actions)
// What the generator of histories draws too seldom to be met in a short test.
const rareFields: Partial<Record<CommandType, Record<string, fc.Arbitrary<unknown>>>> = {
  SettleMarket: { market: positive, price: positive },
  RevokeAllAgents: { account: positive, proof: orNull(proof) },
  SetExchangeMode: { mode: fc.constantFrom('open', 'cancel_only', 'halted') },
  Breach: { market: orNull(positive), invariant: positive },
  SetRulesVersion: { version: positive },
  FreezeAccount: { account: positive, frozen: fc.boolean() },
}
const rareTypes = Object.keys(rareFields) as CommandType[]
const rare = rareTypes.map((type) => typed(type, rareFields[type]!))
const command = fc.oneof(
  ...actions,
  typed('OracleTick', {
    market: positive,
    price: whole,
    external: orNull(whole),
    jump: fc.boolean(),
  }),
  typed('Tick', {}),
  ...rare,
  typed('Batch', { account: positive, actions: fc.array(action, { maxLength: 4 }) }),
)
const by = orNull(fc.record({ who: text, why: text }, plain))
const entry = fc.oneof(
  fc.record({ kind: fc.constant('command'), command, by }, plain),
  fc.record({ kind: fc.constant('snapshot'), id: text, sources: text, by }, plain),
  fc.record({ kind: fc.constant('revert'), id: text, by }, plain),
)

test('an entry comes back exactly as it was', () => {
  fc.assert(
    fc.property(entry, whole, (drawn, atMs) => {
      const stamped = { atMs, entry: drawn as unknown as Entry }
      if (inexactField(stamped, '') !== null) return
      assert.deepStrictEqual(roundTrip(stamped), stamped)
    }),
    { numRuns: 500 },
  )
})

// The generator of the differential test knows every command, with the values that histories hold.
test('every command of the core comes back exactly as it was', () => {
  const seen = new Set(rareTypes)
  const missing = () => allTypes.filter((type) => !seen.has(type))
  for (let seed = 1; seed <= 40 && missing().length > 0; seed++) {
    const generator = new Generator(seed, 600)
    const state = createState(generator.world.genesis)
    const log = new EventLog()
    for (let seq = 1; seq <= 600; seq++) {
      const { atMs, command: drawn } = generator.next()
      log.clear()
      apply(state, { seq, atMs: atMs as TimeMs, command: drawn }, log)
      generator.learn(log.readAll())
      if (inexactField(drawn, '') !== null) continue
      seen.add(drawn.type)
      const stamped: Stamped = { atMs, entry: { kind: 'command', command: drawn, by: null } }
      assert.deepStrictEqual(roundTrip(stamped), stamped)
    }
  }
  assert.deepEqual(missing(), [])
})

test('what JSON would change is named', () => {
  const field = (value: unknown) => inexactField({ outer: [{ inner: value }] }, 'entry')
  for (const value of [Number.NaN, -0, Number.POSITIVE_INFINITY, undefined, 1n])
    assert.equal(field(value), 'inner')
  for (const value of [0, -1, 0.1, '', null, false, [], {}]) assert.equal(field(value), null)
})

const allTypes: readonly CommandType[] = Object.keys({
  PlaceOrder: 0,
  PlaceMarketOrder: 0,
  PlaceStop: 0,
  SetPositionTpsl: 0,
  EditOrder: 0,
  CancelOrder: 0,
  CancelStop: 0,
  CancelAllOrders: 0,
  Batch: 0,
  ScheduleCancel: 0,
  ArmConnection: 0,
  DisarmConnection: 0,
  EndConnection: 0,
  PlaceTwap: 0,
  CancelTwap: 0,
  Deposit: 0,
  Withdraw: 0,
  CompleteWithdrawal: 0,
  FailWithdrawal: 0,
  CreateSubaccount: 0,
  Transfer: 0,
  SetLeverage: 0,
  SetMarginMode: 0,
  MoveIsolatedMargin: 0,
  BindAgent: 0,
  RevokeAgent: 0,
  RevokeAllAgents: 0,
  UnbindAgent: 0,
  AllowAgentIp: 0,
  DisallowAgentIp: 0,
  SetAgentIpFilter: 0,
  CreateApiKey: 0,
  RevokeApiKey: 0,
  SetApiKeyCredits: 0,
  FreezeAccount: 0,
  ListMarket: 0,
  ChangeMarket: 0,
  SetMarketMode: 0,
  SettleMarket: 0,
  SetFeeTiers: 0,
  SetExchangeMode: 0,
  MoveReserve: 0,
  Breach: 0,
  SetRulesVersion: 0,
  SetClockFrozen: 0,
  EngineStarted: 0,
  KeepNote: 0,
  TellPast: 0,
  OracleTick: 0,
  Tick: 0,
} satisfies Record<CommandType, 0>) as CommandType[]

const oldRows: readonly (readonly [string, Command])[] = [
  ['[6,1750003200000]', { type: 'Tick' }],
  [
    '[5,1750003200000,1,60000000000,null,true]',
    { type: 'OracleTick', market: 1, price: 60_000_000_000, external: null, jump: true } as never,
  ],
  [
    '[3,1750003200000,7,["ab",5,9,null,"::1"],2,44,null]',
    {
      type: 'CancelOrder',
      account: 7,
      proof: { textHash: 'ab', receivedAtMs: 5, expiresAtMs: 9, agent: null, ip: '::1' },
      market: 2,
      order: 44,
      clientOrderId: null,
    } as never,
  ],
  [
    '[4,1750003200000,7,null,2,null,"mine",100,3]',
    {
      type: 'EditOrder',
      account: 7,
      proof: null,
      market: 2,
      order: null,
      clientOrderId: 'mine',
      price: 100,
      size: 3,
    } as never,
  ],
  [
    '[1,1750003200000,7,null,2,"bid",100,3,"GTC",false,null,null,null]',
    {
      type: 'PlaceOrder',
      account: 7,
      proof: null,
      market: 2,
      side: 'bid',
      price: 100,
      size: 3,
      tif: 'GTC',
      reduceOnly: false,
      clientOrderId: null,
      takeProfit: null,
      stopLoss: null,
    } as never,
  ],
  [
    '[2,1750003200000,7,null,2,"ask",3,5000,true,"x",null,null]',
    {
      type: 'PlaceMarketOrder',
      account: 7,
      proof: null,
      market: 2,
      side: 'ask',
      size: 3,
      slippagePpm: 5_000,
      reduceOnly: true,
      clientOrderId: 'x',
      takeProfit: null,
      stopLoss: null,
    } as never,
  ],
]

test('a row written by an earlier version still means the same', () => {
  for (const [text, command] of oldRows) {
    const bytes = Buffer.from(text)
    const stamped = { atMs: 1_750_003_200_000, entry: { kind: 'command', command, by: null } }
    assert.deepStrictEqual(decodeEntry(bytes, 0, bytes.length), stamped)
    assert.equal(encodeEntry(stamped as Stamped).toString(), text)
  }
})
