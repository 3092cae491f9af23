import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Generator } from '../../test/programs/differential/generator.ts'
import { apply, type Command, type CommandType, createState, EventLog } from '../core/index.ts'
import type { TimeMs } from '../units/units.ts'
import { decodeEntry, EntryNotExact, encodeEntry, type Stamped } from './codec.ts'
import type { Entry } from './entry.ts'
import { inexactField } from './exact.ts'

function roundTrip(stamped: Stamped): Stamped {
  const bytes = encodeEntry(stamped)
  // Inside of other bytes, as in a frame.
  const around = Buffer.concat([Buffer.from('{"'), bytes, Buffer.from('"}')])
  return decodeEntry(around, 2, 2 + bytes.length)
}

// Plain letters, which a record holds, and text with everything that JSON or UTF-8 could trip over,
// a lone surrogate too.
const plainText = fc.string({ unit: 'grapheme-ascii', maxLength: 12 })
const text = fc.oneof(
  { weight: 4, arbitrary: plainText },
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('base64url'))
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
    textHash: fc.oneof(hash, text),
    signedAtMs: whole,
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
  typed('PlaceStop', { ...onMarket, side, reduceOnly: fc.boolean(), level }),
  typed('CancelAllOrders', {
    account: positive,
    proof: orNull(proof),
    market: orNull(positive),
    excludeReduceOnly: fc.boolean(),
  }),
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
  SetExchangeMode: { mode: fc.constantFrom('open', 'reduce_only', 'cancel_only', 'halted') },
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
    observedAtMs: orNull(whole),
    jump: fc.boolean(),
  }),
  typed('Tick', {}),
  ...rare,
  fc.record(
    {
      type: fc.constant('Batch'),
      account: positive,
      actions: fc.array(action, { maxLength: 4 }),
      proof: orNull(proof),
    },
    { requiredKeys: ['type', 'account', 'actions'], ...plain },
  ),
)
const by = orNull(fc.record({ who: text, why: text }, plain))
const entry = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('command'), command, by }, plain) },
  fc.record({ kind: fc.constant('snapshot'), id: text, sources: text, by }, plain),
  fc.record({ kind: fc.constant('revert'), id: text, by }, plain),
)

/** The type of a record; 0: it is spelled out. */
const typeOf = (bytes: Buffer) => bytes[0]

/** What its JSON says: the second answer. */
const spelled = (stamped: Stamped): unknown => JSON.parse(JSON.stringify(stamped))

test('an entry is restored exactly', () => {
  const types = new Map<number | undefined, number>()
  fc.assert(
    fc.property(entry, whole, (drawn, atMs) => {
      const stamped = { atMs, entry: drawn as unknown as Entry }
      if (inexactField(stamped, '') !== null) return
      const type = typeOf(encodeEntry(stamped))
      types.set(type, 1 + (types.get(type) ?? 0))
      assert.deepStrictEqual(roundTrip(stamped), stamped)
      assert.deepStrictEqual(roundTrip(stamped), spelled(stamped))
    }),
    { numRuns: 2_000 },
  )
  // Every type of record is met, and what is spelled out.
  assert.deepEqual([...types.keys()].sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8])
})

// The generator of the differential test knows every command, with the values that histories hold.
test('every command of the core is restored exactly', () => {
  const seen = new Set(rareTypes)
  const missing = () => allTypes.filter((type) => !seen.has(type))
  for (let seed = 1; seed <= 80 && missing().length > 0; seed++) {
    const generator = new Generator(seed, 600, { commands: { SetAgentPolicy: 1 } })
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

test('a value that JSON would change is named', () => {
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
  PlaceIceberg: 0,
  PlaceChase: 0,
  PlaceOco: 0,
  SetMmp: 0,
  ResetMmp: 0,
  Deposit: 0,
  Withdraw: 0,
  CreditDeposit: 0,
  ApproveCredit: 0,
  DropCredit: 0,
  ApproveWithdrawal: 0,
  CompleteWithdrawal: 0,
  FailWithdrawal: 0,
  CreateSubaccount: 0,
  Transfer: 0,
  SetLeverage: 0,
  SetMarginMode: 0,
  MoveIsolatedMargin: 0,
  BindAgent: 0,
  SetAgentPolicy: 0,
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
  CancelMarketChange: 0,
  SetMarketMode: 0,
  SettleMarket: 0,
  SetFeeTiers: 0,
  SetExchangeMode: 0,
  MoveReserve: 0,
  SetOwnerLimit: 0,
  SetInsuranceShare: 0,
  SetFundDailyMax: 0,
  SetWithdrawalLimits: 0,
  SetWithdrawalBrake: 0,
  Breach: 0,
  SetRulesVersion: 0,
  SetClockFrozen: 0,
  EngineStarted: 0,
  KeepNote: 0,
  TellPast: 0,
  OracleTick: 0,
  Tick: 0,
} satisfies Record<CommandType, 0>) as CommandType[]

const signedText = { signedAtMs: 5, expiresAtMs: 9, agent: 'bot', ip: '::1' }
const oldProof = { textHash: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8', ...signedText }
const oldLevel = {
  stopPrice: 90,
  limitPrice: null,
  size: 3,
  triggerBy: 'last',
  clientOrderId: 'stop',
}
const oldOrder = { account: 7, proof: null, market: 2, side: 'ask', size: 3, reduceOnly: true }
const oldNames = { clientOrderId: 'x', takeProfit: null, stopLoss: oldLevel }
const oldRef = { account: 7, proof: null, market: 2, order: 44, clientOrderId: null }

/** Each type of record, with every part that a tail may have. */
const oldRecords: readonly (readonly [
  string,
  Readonly<{ type: CommandType } & Record<string, unknown>>,
])[] = [
  [
    '0800000000000000000000000000000000000000000000000000001b457779420000000000000000' +
      '0000000000000000000000000000000000000000000000000000000000000000',
    { type: 'Tick' },
  ],
  [
    '0700000000020000000000000100000000000000000000000000001b457779420000000000000000' +
      '00000000000000000000000000000000000000b08ef02b420000000000000000',
    { type: 'OracleTick', market: 1, price: 60_000_000_000, observedAtMs: null, jump: true },
  ],
  [
    '0300000019010000070000000200000000000000280000000000001b457779420000000000000000' +
      '0000000000004640000000000000224000000000000014400010001b457779420001020304050607' +
      '08090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f03626f74033a3a31',
    { type: 'CancelOrder', ...oldRef, proof: oldProof },
  ],
  [
    '0400000020000000070000000200000000000000050000000000001b457779420000000000000000' +
      '0000000000000000000000000000000000000000000000000000000000000000046d696e65',
    { type: 'CancelStop', ...oldRef, order: null, clientOrderId: 'mine' },
  ],
  [
    '0500000000060000070000000200000000000000000000000000001b457779420000000000000000' +
      '0000000000000000000000000000000000000000000000000000000000000000',
    { type: 'CancelAllOrders', account: 7, proof: null, market: 2, excludeReduceOnly: true },
  ],
  [
    '0600000000010000070000000200000064000000000000000000001b457779420000000000000840' +
      '0000000000004640000000000000000000000000000000000000000000000000',
    { type: 'EditOrder', ...oldRef, price: 100, size: 3 },
  ],
  [
    '01010300b9020000070000000200000064000000410000000000001b457779420000000000000840' +
      '0000000000000000000000000000224000000000000014400010001b457779420001020304050607' +
      '08090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f03626f74033a3a3101785a0000000000' +
      '0000000000000000084001060473746f70',
    { type: 'PlaceOrder', ...oldOrder, ...oldNames, proof: oldProof, price: 100, tif: 'ALO' },
  ],
  [
    '02000000a0020000070000000200000088130000190000000000001b457779420000000000000840' +
      '000000000000000000000000000000000000000000000000000000000000000001785a0000000000' +
      '0000000000000000084001060473746f70',
    { type: 'PlaceMarketOrder', ...oldOrder, ...oldNames, slippagePpm: 5_000, side: 'bid' },
  ],
  [
    '0000000000000000000000000000000000000000dd0000000000001b457779420000000000000000' +
      '00000000000000000000000000000000000000000000000000000000000000007b226b696e64223a' +
      '22636f6d6d616e64222c22636f6d6d616e64223a7b2274797065223a22506c61636553746f70222c' +
      '226163636f756e74223a372c2270726f6f66223a6e756c6c2c226d61726b6574223a322c22736964' +
      '65223a22626964222c227265647563654f6e6c79223a66616c73652c226c6576656c223a7b227374' +
      '6f705072696365223a39302c226c696d69745072696365223a6e756c6c2c2273697a65223a332c22' +
      '747269676765724279223a226c617374222c22636c69656e744f726465724964223a2273746f7022' +
      '7d7d2c226279223a6e756c6c7d',
    {
      type: 'PlaceStop',
      account: 7,
      proof: null,
      market: 2,
      side: 'bid',
      reduceOnly: false,
      level: oldLevel,
    },
  ],
]

test('a record written by an earlier version still means the same', () => {
  for (const [hex, command] of oldRecords) {
    const bytes = Buffer.from(hex, 'hex')
    const entry = { kind: 'command', command, by: null }
    const stamp = command.proof === oldProof ? { stampMs: 1_750_003_200_001 } : {}
    const stamped = { atMs: 1_750_003_200_000, ...stamp, entry }
    assert.deepStrictEqual(decodeEntry(bytes, 0, bytes.length), stamped)
    assert.equal(encodeEntry(stamped as unknown as Stamped).toString('hex'), hex)
  }
})

test('a value beyond its column is written as text, and restored exactly', () => {
  const order = oldRecords.find(([, { type }]) => type === 'PlaceOrder')![1]
  const changes = [
    { price: 2 ** 31 },
    { price: -(2 ** 31) - 1 },
    { price: 0.5 },
    { size: 2 ** 53 },
    { account: 2 ** 31 },
    { side: 'neither' },
    { tif: 'NEVER' },
    { reduceOnly: 1 },
    { clientOrderId: 'é' },
    { clientOrderId: 'x'.repeat(256) },
    { stopLoss: { ...oldLevel, stopPrice: 2 ** 31 } },
    { stopLoss: { ...oldLevel, triggerBy: 'never' } },
    { proof: { ...oldProof, signedAtMs: 1.5 } },
    { proof: { ...oldProof, textHash: '\ud800' } },
  ]
  for (const change of [{}, ...changes]) {
    const command = { ...order, ...change } as unknown as Command
    const stamped: Stamped = { atMs: 5, entry: { kind: 'command', command, by: null } }
    const fits = change !== changes.find((each) => each === change)
    assert.equal(typeOf(encodeEntry(stamped)) !== 0, fits, JSON.stringify(change))
    assert.deepStrictEqual(roundTrip(stamped), stamped)
  }
})

// Bytes of records that were written, cut or with bits turned over: what the seal of a frame would
// have found, and here has to be met without it.
test('no bytes are taken for another command than the one they are written for', () => {
  const records = oldRecords.map(([hex]) => Buffer.from(hex, 'hex'))
  const read = (bytes: Buffer) => {
    try {
      return decodeEntry(bytes, 0, bytes.length)
    } catch (error) {
      assert.ok(error instanceof EntryNotExact, String(error))
      assert.match(error.message, /^not a record: ./)
      return null
    }
  }
  let refused = 0
  for (const record of records) {
    for (let length = 0; length < record.length; length++)
      assert.equal(read(record.subarray(0, length)), null)
    assert.equal(read(Buffer.concat([record, Buffer.alloc(1)])), null)
    for (let bit = 0; bit < record.length * 8; bit++) {
      const turned = Buffer.from(record)
      turned[bit >> 3]! ^= 1 << (bit & 7)
      const stamped = read(turned)
      if (stamped === null) refused += 1
      else if (typeOf(turned) === 0) assert.equal(stamped.entry.kind, 'command')
      else assert.deepEqual(encodeEntry(stamped), turned)
    }
  }
  assert.ok(refused > 1_000, `${refused}`)
  fc.assert(
    fc.property(fc.constantFrom(...records), fc.uint8Array({ maxLength: 300 }), (record, noise) => {
      const type = record.subarray(0, 1)
      for (const bytes of [Buffer.from(noise), Buffer.concat([type, noise])]) {
        const stamped = read(bytes)
        if (stamped !== null) assert.deepEqual(encodeEntry(stamped), bytes)
      }
    }),
  )
})
