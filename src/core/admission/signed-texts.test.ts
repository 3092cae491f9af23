// The memory of signed texts at its limits, which are too large for the naive twin: a full share
// fills no other one, and an owner can always cancel and revoke.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import {
  alice,
  NOW_MS,
  order,
  smallExchange,
} from '../../../test/support/small-exchange/small-exchange.ts'
import { apply, EventLog, type State } from '../engine.ts'
import { limits } from '../rules/limits.ts'
import { decodeState } from '../snapshot/decode.ts'
import { encodeState } from '../snapshot/encode.ts'

let state: State
let texts = 0
let stampMs: number = NOW_MS
const log = new EventLog()

beforeEach(() => {
  state = decodeState(smallExchange().bytes)
  stampMs = NOW_MS
  run({ type: 'BindAgent', account: alice, proof: null, agent: 'other', scopes: ['trade'] })
})

type Plain = Readonly<{ type: string } & Record<string, unknown>>

/** The rejection and its number; null if accepted. */
function run(command: Plain): readonly [string, number] | null {
  log.clear()
  const times = { atMs: NOW_MS, stampMs: stampMs as typeof NOW_MS }
  apply(state, { seq: state.seq + 1, ...times, command: command as never }, log)
  const rejected = log.readAll().find((event) => event.type === 'CommandRejected')
  return rejected === undefined ? null : [rejected.rejection, rejected.first]
}

function proofOf(agent: string | null, more = {}) {
  texts += 1
  const times = { signedAtMs: NOW_MS, expiresAtMs: NOW_MS + 600_000 }
  return { textHash: `text-${texts}`, ...times, agent, ip: '10.0.0.1', ...more }
}

/** A command that the rules reject after the text was stored. */
const wish = (agent: string | null, more = {}) => ({
  ...order,
  price: 0,
  proof: proofOf(agent, more),
})
const taken = ['INVALID_TICK_LEVEL', 0]

/** Commands that prevent harm; each is accepted as far as its text is concerned. */
const urgent: readonly Omit<Plain, 'proof'>[] = [
  { type: 'CancelOrder', market: 1, order: 99, clientOrderId: null },
  { type: 'CancelStop', market: 1, order: 99, clientOrderId: null },
  { type: 'CancelAllOrders', market: null, excludeReduceOnly: false },
  { type: 'CancelTwap', market: 1, order: 99, clientOrderId: null },
  { type: 'ScheduleCancel', time: null, keepProtective: true },
  { type: 'RevokeApiKey', prefix: 'key' },
  { type: 'RevokeAgent', agent: 'agent' },
  { type: 'RevokeAllAgents' },
] as never

function ownerIsFree(): void {
  for (const command of urgent) {
    const refused = run({ ...command, account: alice, proof: proofOf(null) } as never)
    assert.notEqual(refused?.[0], 'TEXT_MEMORY_FULL', String(command.type))
  }
}

test('an agent that fills its share locks out neither its owner nor another agent', () => {
  for (let n = 0; n < limits.textsPerAgent; n++) assert.deepEqual(run(wish('agent')), taken)
  const full = ['TEXT_MEMORY_FULL', limits.textsPerAgent]
  assert.deepEqual(run(wish('agent')), full)
  assert.deepEqual(run(wish('other')), taken)
  assert.deepEqual(run(wish(null)), taken)
  ownerIsFree()
  // Bound again it has its old share.
  run({ type: 'BindAgent', account: alice, proof: null, agent: 'agent', scopes: ['trade'] })
  assert.deepEqual(run(wish('agent')), full)
  const loaded = decodeState(encodeState(state))
  assert.deepEqual(encodeState(loaded), encodeState(state))
  state = loaded
  assert.deepEqual(run(wish('agent')), full)
  stampMs = NOW_MS + 600_000
  assert.deepEqual(run(wish('agent', { expiresAtMs: NOW_MS + 700_000 })), taken)
})

test('an agent outside its address list stores nothing, however many requests it sends', () => {
  run({ type: 'SetAgentIpFilter', account: alice, proof: null, agent: 'agent', enabled: true })
  const before = encodeState(state)
  const { seq } = state
  for (let n = 0; n < limits.textsPerAgent; n++)
    assert.deepEqual(run(wish('agent', { ip: '10.0.0.9' })), ['AGENT_NOT_ALLOWED', 5])
  state.seq = seq
  assert.deepEqual(encodeState(state), before)
})

test('an owner whose memory is full can still cancel and revoke, up to the reserve', () => {
  for (let n = 0; n < limits.textsPerAccount; n++) assert.deepEqual(run(wish(null)), taken)
  const full = ['TEXT_MEMORY_FULL', limits.textsPerAccount]
  assert.deepEqual(run(wish(null)), full)
  ownerIsFree()
  assert.deepEqual(run(wish(null)), full)
  const cancel = () => ({ ...urgent[0]!, account: alice, proof: proofOf(null) }) as never
  // A batch of cancels is accepted, one with an order is not.
  assert.equal(
    run({ type: 'Batch', account: alice, actions: [cancel(), cancel()] })?.[0],
    'ORDER_NOT_FOUND',
  )
  const mixed = { type: 'Batch', account: alice, actions: [cancel(), wish(null)] }
  assert.deepEqual(run(mixed), full)
  const spent = urgent.length + 2
  for (let n = spent; n < limits.textsReserved; n++)
    assert.deepEqual(run(cancel()), ['ORDER_NOT_FOUND', 99])
  const all = limits.textsPerAccount + limits.textsReserved
  assert.deepEqual(run(cancel()), ['TEXT_MEMORY_FULL', all])
})

test('an agent whose share is full can still cancel, up to the reserve', () => {
  for (let n = 0; n < limits.textsPerAgent; n++) assert.deepEqual(run(wish('agent')), taken)
  const cancel = () => ({ ...urgent[0]!, account: alice, proof: proofOf('agent') }) as never
  for (let n = 0; n < limits.textsReserved; n++)
    assert.deepEqual(run(cancel()), ['ORDER_NOT_FOUND', 99])
  const all = limits.textsPerAgent + limits.textsReserved
  assert.deepEqual(run(cancel()), ['TEXT_MEMORY_FULL', all])
  ownerIsFree()
})

test('an agent signs 100 texts a second while a stamp is held, and all are accepted', () => {
  const windowMs = 30_000
  // As after a start that follows a long stop: the stamp is hours behind for 610 s.
  stampMs = NOW_MS - 5 * 3_600_000
  for (let at = 0; at < 610_000; at += 10) {
    const signedAtMs = NOW_MS + at
    const text = proofOf('agent', { signedAtMs, expiresAtMs: signedAtMs + windowMs })
    assert.deepEqual(run({ ...order, price: 0, proof: text }), taken, `${at} ms`)
  }
  // No client whose clock is right is locked out by it.
  const now = NOW_MS + 610_000
  const short = proofOf(null, { signedAtMs: now, expiresAtMs: now + 1 })
  assert.deepEqual(run({ ...order, price: 0, proof: short }), taken)
})

test('rebinding agents uses forty shares at most, and the owner keeps its own', () => {
  for (let n = 1; n <= limits.agentTextShares; n++) {
    const binding = { account: alice, proof: null, agent: `agent-${n}`, scopes: ['trade'] }
    run({ type: 'BindAgent', ...binding })
    assert.deepEqual(run(wish(`agent-${n}`)), taken)
    run({ type: 'RevokeAgent', ...binding })
  }
  assert.deepEqual(run(wish('other')), ['TEXT_MEMORY_FULL', limits.agentTextShares])
  assert.deepEqual(run(wish(null)), taken)
  stampMs = NOW_MS + 600_000
  assert.deepEqual(run(wish('other', { expiresAtMs: NOW_MS + 700_000 })), taken)
})

test("an agent that sent a text before its owner does not block the owner's cancel", () => {
  const inHand = (agent: string | null, text: object) => ({ ...text, agent })
  for (const command of urgent) {
    const text = proofOf(null)
    const send = (agent: string | null) =>
      run({ ...command, account: alice, proof: inHand(agent, text) } as never)?.[0]
    const byAgent = send('other')
    assert.notEqual(byAgent, 'REPLAYED', command.type as string)
    assert.notEqual(send(null), 'REPLAYED', command.type as string)
    assert.equal(send(null), 'REPLAYED', command.type as string)
    if (state.accounts.records[alice]!.agents?.has('other'))
      assert.equal(send('other'), byAgent === 'AGENT_NOT_ALLOWED' ? byAgent : 'REPLAYED')
  }
})

test('a text of two signers in one batch is invalid for both afterwards', () => {
  const text = proofOf(null)
  const cancel = (agent: string | null) => ({
    ...urgent[0]!,
    account: alice,
    proof: { ...text, agent },
  })
  const both = [cancel('other'), cancel(null)]
  assert.equal(run({ type: 'Batch', account: alice, actions: both })?.[0], 'ORDER_NOT_FOUND')
  assert.equal(run(cancel(null) as never)?.[0], 'REPLAYED')
  assert.equal(run(cancel('other') as never)?.[0], 'REPLAYED')
})

test('an order remains a single one whichever signer sends its text', () => {
  const text = proofOf(null)
  const place = (agent: string | null) => ({ ...order, price: 0, proof: { ...text, agent } })
  assert.deepEqual(run(place('other')), taken)
  assert.equal(run(place(null))?.[0], 'REPLAYED')
})
