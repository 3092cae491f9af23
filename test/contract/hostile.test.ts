// Every signed route and every batch action against every invalid use: each is rejected with the
// right message and leaves the trading state unchanged. Each body is first shown to be valid, in a
// state that is then reverted, so that nothing is rejected for another reason than the intended
// one.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { decodeBase58, encodeBase58 } from '../../src/protocol/base58.ts'
import { hardwareMessage, signingText } from '../../src/protocol/signing-text.ts'
import { agentIsPayload, signingTypes } from '../../src/protocol/signing-types.ts'
import {
  bigIntOf,
  encodePoint,
  groupOrder,
  littleEndian,
  torsionPoints,
} from '../support/curve-points.ts'
import { type Answer, dataOf, type Row, refused } from '../support/http/api-client.ts'
import { hostileScene, type Target } from '../support/http/hostile-scene.ts'
import { subaccountBody } from '../support/http/subaccount-body.ts'
import { type Signer, signerOf } from '../support/signer.ts'

const { live, victim, attacker, targets, hash, settled } = await hostileScene()
after(() => live.close())
const { api } = live
const { exchange } = live.running
const untouched = hash()
const stranger = signerOf(50)

type Options = Parameters<typeof api.body>[3]
const bodyOf = ({ path, sample, type }: Target, options: Options = {}, key = victim.key) =>
  api.body(key, path, sample, { type, ...options })

const invalid = /^INVALID_SIGNATURE: Verification failed; the text that was verified is \{"data":/

/** Rejected before it reaches the journal; nothing has changed. */
async function stopped(target: Target, body: Row, says: RegExp, status = 400): Promise<void> {
  const seq = exchange.seq()
  const answer = await target.send(body)
  const given = refused(answer, { status, says })
  if (says === invalid && 'success' in given)
    assert.equal(given.error_id, 'signature_verification_failed')
  assert.equal(exchange.seq(), seq, target.name)
}

const unchanged = (target: Target) => assert.equal(hash(), untouched, target.name)

/** The common part of all attempts: none of them changes the trading state. */
function against(title: string, attempt: (target: Target) => Promise<void>): void {
  test(title, async () => {
    for (const target of targets) {
      await attempt(target)
      unchanged(target)
    }
  })
}

test('a valid body of every signed route and action is accepted once', async () => {
  const { id } = dataOf<{ id: string }>(await live.sandbox('snapshot', {}))
  for (const target of targets) {
    const body = await bodyOf(target)
    await settled()
    const seq = exchange.seq()
    accepted(target, await target.send(body))
    await settled()
    const after = hash()
    // A protection whose counters are zero is unchanged by a reset.
    const idle = target.lists || target.type === 'reset_mmp'
    assert.notEqual(after === untouched, !idle, `${target.name} changes the state`)
    const again = await target.send(body)
    if (target.lists) {
      assert.deepEqual([again.status, exchange.seq()], [200, seq], target.name)
    } else {
      refused(again, { status: 400, says: usedUp(target) })
      const text = hardwareMessage(signingText(target.type, body))
      const hardware = { type: 'hardware', value: victim.key.sign(text) }
      const other = await target.send({ ...body, signature: hardware })
      refused(other, { status: 400, says: usedUp(target) })
    }
    assert.equal(hash(), after, `${target.name} replayed`)
    dataOf(await live.sandbox('revert', { id }))
    unchanged(target)
  }
})

/** A revoked key is not found, before its text is checked. */
const usedUp = ({ type }: Target) =>
  type === 'revoke_api_key'
    ? /^API_KEY_NOT_FOUND/
    : /^REPLAYED: Invalid message, this signed text was used before; change timestamp or client_/

function accepted(target: Target, answer: Answer): void {
  assert.equal(answer.status, 200, `${target.name}: ${answer.text}`)
  if (target.batched) assert.equal(resultOf(answer).success, true, `${target.name}: ${answer.text}`)
}

const resultOf = (answer: Answer) => dataOf<{ results: Row[] }>(answer).results[0]!

function refusedByEngine({ batched }: Target, answer: Answer, says: RegExp): void {
  if (!batched) {
    refused(answer, { status: 400, says })
    return
  }
  const { success, error } = resultOf(answer)
  assert.equal(success, false)
  assert.match(String(error), says)
}

against('a signature by another key is rejected', async (target) => {
  for (const signer of [stranger, attacker.key, victim.agent, victim.sub]) {
    const body = await bodyOf(target)
    const signature = signer.sign(signingText(target.type, body))
    await stopped(target, { ...body, signature }, invalid)
  }
  const body = await bodyOf(target, {}, attacker.key)
  await stopped(target, { ...body, account: victim.key.address }, invalid)
})

/** A request to bind an agent can be signed by the account's own key only. */
const isPayload = ({ type }: Target) => agentIsPayload.has(type)

async function byAgent(target: Target, agent: Signer): Promise<Row> {
  const body = await bodyOf(target)
  const named = isPayload(target) ? body : { ...body, agent_wallet: agent.address }
  return { ...named, signature: agent.sign(signingText(target.type, named)) }
}

against('an unbound or revoked agent, or one of another account, is rejected', async (target) => {
  const says = /^AGENT_NOT_BOUND: agent \S+ is not bound to account \S+$/
  for (const agent of [stranger, victim.revoked, attacker.agent, attacker.key, victim.sub])
    await stopped(target, await byAgent(target, agent), isPayload(target) ? invalid : says)
})

const ownerOnly =
  /^(list_(?!api)|bind_|revoke_(?!api)|withdraw|transfer|add_agent|remove_agent|set_agent)/

against('an agent may trade, change leverage or margin, and manage API keys', async (target) => {
  if (!ownerOnly.test(target.type)) return
  const says = /^AGENT_FORBIDDEN: an agent may trade, change leverage or margin, and make, list /
  const status = target.contract ? 400 : 403
  const body = await byAgent(target, victim.agent)
  if (isPayload(target)) await stopped(target, body, invalid)
  else await stopped(target, body, says, status)
})

against('an expired or future text is rejected', async (target) => {
  const now = Date.now()
  const over =
    /^EXPIRED: Invalid message: the time to use it is over \(timestamp \d+, expiry_window/
  const early = /^EXPIRED: Invalid message: timestamp is too far in the future/
  for (const [options, says] of [
    [{ timestamp: now - 31_000 }, over],
    [{ timestamp: now - 5_000, expiryWindow: 1_000 }, over],
    [{ timestamp: now - 601_000, expiryWindow: 600_000 }, over],
    [{ timestamp: 0 }, over],
    [{ timestamp: now + 40_000 }, early],
    [{ timestamp: now + 40_000, expiryWindow: 600_000 }, early],
  ] as const)
    await stopped(target, await bodyOf(target, options), says)
  const window = { expiryWindow: 600_001 }
  const bounds = /^MALFORMED_REQUEST: expiry_window is not an integer of 1 to 600000 milliseconds/
  await stopped(target, await bodyOf(target, window), bounds)
  const { timestamp: _, ...untimed } = await bodyOf(target)
  await stopped(target, untimed, /^MALFORMED_REQUEST: timestamp is missing/)
})

function altered(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return value.map(altered)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, altered(each)]))
  if (value === 'bid' || value === 'ask') return value === 'bid' ? 'ask' : 'bid'
  if (value === 'GTC') return 'ALO'
  const text = String(value)
  if (['BTC', 'ETH', 'SOL', 'WIF'].includes(text)) return text === 'BTC' ? 'ETH' : 'BTC'
  return text === victim.agent.address || text === victim.sub.address
    ? attacker.agent.address
    : text.replace(/\d(?=\D*$)/, (digit) => `${(Number(digit) % 9) + 1}`)
}

against('changes after signing are rejected', async (target) => {
  const body = await bodyOf(target)
  const changes: Row[] = [
    { builder_code: 'added' },
    { timestamp: Number(body.timestamp) + 1 },
    { expiry_window: 60_000 },
    ...Object.entries(target.sample).map(([name, value]) => ({ [name]: altered(value) })),
  ]
  for (const change of changes) {
    assert.notDeepEqual({ ...body, ...change }, body)
    await stopped(target, { ...body, ...change }, invalid)
  }
  for (const name of ['take_profit', 'keep_protective'].filter((each) => each in target.sample)) {
    const { [name]: _, ...rest } = body
    await stopped(target, rest, invalid)
    await stopped(target, { ...body, [name]: null }, invalid)
  }
  const { account: _, ...rest } = body
  await stopped(target, { ...rest, account: attacker.key.address }, invalid)
})

against('a signature for another operation is rejected', async (target) => {
  const at = signingTypes.indexOf(target.type)
  for (const further of [1, 2, 5, 11, 17, 23]) {
    const type = signingTypes[(at + further) % signingTypes.length]!
    const body = await bodyOf(target)
    const signature = victim.key.sign(signingText(type, body))
    await stopped(target, { ...body, signature }, invalid)
  }
})

/** A point of small order, for which anyone could forge; its signature is R = it, S = 0. */
const weakKeys = torsionPoints.map(encodePoint)

against('keys of small order and non-canonical points are rejected', async (target) => {
  const body = await bodyOf(target)
  const notCanonical = Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? 0x7f : 0xff))
  for (const [at, bytes] of [...weakKeys, notCanonical].entries()) {
    const weak = encodeBase58(bytes)
    const signature = encodeBase58(Buffer.concat([bytes, new Uint8Array(32)]))
    const account = { ...body, account: weak, signature }
    await stopped(target, account, /^INVALID_ADDRESS: Invalid public key in account: /)
    if (isPayload(target) || at % 4 !== 0) continue
    const agent = { ...body, agent_wallet: weak, signature }
    await stopped(target, agent, /^INVALID_ADDRESS: Invalid public key in agent_wallet: /)
  }
})

const bytesOf = (signature: unknown) => decodeBase58(String(signature), 64)!

/** The same signature in a second encoding: S + L instead of S. */
function malleated(signature: unknown): string {
  const bytes = bytesOf(signature)
  const S = bigIntOf(bytes.subarray(32)) + groupOrder
  return encodeBase58(Buffer.concat([bytes.subarray(0, 32), littleEndian(S)]))
}

against('a second encoding of a signature, and an invalid one, are rejected', async (target) => {
  const body = await bodyOf(target)
  const bytes = bytesOf(body.signature)
  const flipped = Buffer.from(bytes)
  flipped[10]! ^= 1
  const forms = [
    malleated(body.signature),
    encodeBase58(flipped),
    encodeBase58(new Uint8Array(64)),
    encodeBase58(bytes.subarray(0, 63)),
    encodeBase58(Buffer.concat([bytes, new Uint8Array(1)])),
    '0OIl',
    '',
  ]
  for (const signature of forms) await stopped(target, { ...body, signature }, invalid)
  for (const signature of [null, 5, [], {}, { type: 'other', value: 'x' }])
    await stopped(target, { ...body, signature }, /^MALFORMED_REQUEST: signature is /)
})

against('hardware wallet signatures follow the same rules', async (target) => {
  const body = await bodyOf(target)
  const text = signingText(target.type, body)
  const message = hardwareMessage(text)
  const shifted = Uint8Array.from(message)
  shifted[17] = 1
  const value = (each: string | Uint8Array, key = victim.key) => key.sign(each)
  for (const signature of [
    { type: 'hardware', value: value(text) },
    { type: 'raw', value: value(message) },
    { type: 'hardware', value: value(shifted) },
    { type: 'hardware', value: value(message, stranger) },
    { type: 'hardware', value: malleated(value(message)) },
    value(message),
  ])
    await stopped(target, { ...body, signature }, invalid)
  const added = {
    ...body,
    builder_code: 'added',
    signature: { type: 'hardware', value: value(message) },
  }
  await stopped(target, added, invalid)
})

/** Requests with a valid signature of the attacker about objects of the victim. */
const foreign: Readonly<Record<string, readonly (readonly [Row, RegExp])[]>> = {
  cancel_order: [
    [{ symbol: 'BTC', order_id: victim.orderId }, /^ORDER_NOT_FOUND: no open order \d+ on BTC/],
    [{ symbol: 'BTC', client_order_id: victim.clientOrderId }, /^ORDER_NOT_FOUND/],
    [{ symbol: 'BTC', order_id: victim.stopId }, /^ORDER_NOT_FOUND/],
    [
      { symbol: 'BTC', order_id: attacker.orderId, client_order_id: victim.clientOrderId },
      /^ORDER_NOT_FOUND/,
    ],
  ],
  cancel_twap_order: [[{ symbol: 'ETH', order_id: victim.twapId }, /^TWAP_NOT_FOUND/]],
  cancel_stop_order: [[{ symbol: 'BTC', order_id: victim.stopId }, /^ORDER_NOT_FOUND/]],
  edit_order: [
    [
      { symbol: 'BTC', order_id: victim.orderId, price: '99000', amount: '0.02' },
      /^ORDER_NOT_FOUND/,
    ],
    [
      { symbol: 'BTC', client_order_id: victim.clientOrderId, price: '99000', amount: '0.02' },
      /^ORDER_NOT_FOUND/,
    ],
  ],
  set_position_tpsl: [
    [{ symbol: 'BTC', side: 'ask', stop_loss: { stop_price: '95000' } }, /^POSITION_NOT_FOUND/],
  ],
  add_isolated_margin: [[{ symbol: 'WIF', amount: '-5' }, /^POSITION_NOT_FOUND/]],
  transfer_funds: [
    [{ to_account: victim.sub.address, amount: '10' }, /^INVALID_TRANSFER_RELATIONSHIP/],
    [{ to_account: victim.key.address, amount: '10' }, /^INVALID_TRANSFER_RELATIONSHIP/],
    [{ to_account: victim.sub.address, amount: '-10' }, /^INVALID_AMOUNT/],
  ],
  bind_agent_wallet: [
    [{ agent_wallet: victim.key.address }, /^UNSUPPORTED_OPERATION/],
    [{ agent_wallet: victim.agent.address }, /^UNSUPPORTED_OPERATION/],
    [{ agent_wallet: attacker.sub.address }, /^UNSUPPORTED_OPERATION/],
  ],
  set_agent_policy: [[{ agent_wallet: victim.agent.address, remove: true }, /^AGENT_NOT_FOUND/]],
  revoke_agent_wallet: [[{ agent_wallet: victim.agent.address }, /^AGENT_NOT_FOUND/]],
  list_agent_ip_whitelist: [[{ api_agent_key: victim.agent.address }, /^AGENT_NOT_FOUND/]],
  add_agent_whitelisted_ip: [
    [{ agent_wallet: victim.agent.address, ip_address: '10.9.9.9' }, /^AGENT_NOT_FOUND/],
  ],
  remove_agent_whitelisted_ip: [
    [{ agent_wallet: victim.agent.address, ip_address: '10.0.0.1' }, /^AGENT_NOT_FOUND/],
  ],
  set_agent_ip_whitelist_enabled: [
    [{ agent_wallet: victim.agent.address, enabled: true }, /^AGENT_NOT_FOUND/],
  ],
  revoke_api_key: [
    [{ api_key: victim.apiKey }, /^API_KEY_NOT_FOUND: this account has no such API key/],
    [{ api_key: victim.apiKey.slice(0, 8) }, /^API_KEY_NOT_FOUND/],
  ],
}

/** Objects of the attacker or of no account: the victim's are not concerned. */
const namesNothing = new Set([
  'set_mmp',
  'reset_mmp',
  'create_order',
  'create_market_order',
  'create_stop_order',
  'create_oco_order',
  'create_twap_order',
  'create_chase_order',
  'create_iceberg_order',
  'cancel_all_orders',
  'schedule_cancel',
  'update_leverage',
  'update_margin_mode',
  'withdraw',
  'list_subaccounts',
  'list_reserve_proof',
  'revoke_all_agent_wallets',
  'list_agent_wallets',
  'create_api_key',
  'list_api_keys',
])

against('objects of another account cannot be changed', async (target) => {
  const cases = foreign[target.type]
  assert.ok(cases !== undefined || namesNothing.has(target.type), target.name)
  for (const [fields, says] of cases ?? []) {
    const body = await api.body(attacker.key, target.path, fields, { type: target.type })
    const answer = await target.send(body)
    if (target.batched) refusedByEngine(target, answer, says)
    else {
      const status = target.contract ? 400 : 422
      refused(answer, { status, code: Number(answer.body.code), says })
    }
  }
})

test('one bad action rejects the whole batch, wherever it is', async () => {
  const [create] = targets.filter(({ name }) => name === 'create_order')
  const good = await bodyOf(create!)
  const bad = { ...(await bodyOf(create!)), amount: '0.03' }
  for (const data of [
    [good, bad],
    [bad, good],
    [good, await bodyOf(create!, {}, attacker.key)],
    [good, await byAgent(create!, stranger)],
    [good, await bodyOf(create!, { timestamp: Date.now() - 31_000 })],
  ]) {
    const actions = data.map((each) => ({ type: 'Create', data: each }))
    refused(await api.post('/orders/batch', { actions }), { status: 400, says: /^[A-Z_]+: / })
    unchanged(create!)
  }
})

test('a text that is twice in a batch counts twice there, and never again', async () => {
  const { id } = dataOf<{ id: string }>(await live.sandbox('snapshot', {}))
  const [create] = targets.filter(({ name }) => name === 'create_order')
  const data = await bodyOf(create!)
  const actions = [data, data].map((each) => ({ type: 'Create', data: each }))
  const { results } = dataOf<{ results: Row[] }>(await api.post('/orders/batch', { actions }))
  assert.deepEqual(
    results.map(({ success }) => success),
    [true, true],
  )
  for (const again of [await api.post('/orders/batch', { actions }), await create!.send(data)])
    refused(again, { status: 400, says: usedUp(create!) })
  dataOf(await live.sandbox('revert', { id }))
  unchanged(create!)
})

test('a subaccount needs both signatures: fresh, unaltered and of the right keys', async () => {
  const path = '/account/subaccount/create'
  const [main, sub, other] = [victim.key, signerOf(60), signerOf(61)]
  const good = await subaccountBody(main, sub)
  const cross = await subaccountBody(main, other)
  const theirs = await subaccountBody(attacker.key, sub)
  const cases: readonly (readonly [Row, RegExp])[] = [
    [{ ...good, sub_signature: cross.sub_signature }, invalid],
    [{ ...good, main_signature: cross.main_signature }, invalid],
    [{ ...good, main_signature: theirs.main_signature }, invalid],
    [{ ...good, main_signature: good.sub_signature, sub_signature: good.main_signature }, invalid],
    [{ ...good, subaccount: other.address }, invalid],
    [{ ...good, main_account: attacker.key.address }, invalid],
    [{ ...theirs, main_account: main.address }, invalid],
    [{ ...good, timestamp: Number(good.timestamp) + 1 }, invalid],
    [{ ...good, expiry_window: 60_000 }, invalid],
    [{ ...good, main_signature: malleated(good.main_signature) }, invalid],
    [{ ...good, sub_signature: malleated(good.sub_signature) }, invalid],
    [{ ...good, sub_signature: { type: 'hardware', value: good.sub_signature } }, invalid],
    [{ ...good, subaccount: encodeBase58(weakKeys[1]!) }, /^INVALID_ADDRESS: Invalid public key/],
    [await subaccountBody(main, sub, Date.now() - 31_000), /^EXPIRED: Invalid message/],
    [await subaccountBody(main, sub, Date.now() + 40_000), /^EXPIRED: Invalid message/],
  ]
  for (const [body, says] of cases) {
    const seq = exchange.seq()
    refused(await api.post(path, body), { status: 400, says })
    assert.equal(exchange.seq(), seq)
  }
  const { sub_signature: signature, timestamp } = good
  const otherText = signingText('withdraw', { timestamp, data: { signature } })
  const otherType = { ...good, main_signature: main.sign(otherText) }
  refused(await api.post(path, otherType), { status: 400, says: invalid })
  for (const taken of [victim.sub, attacker.sub, attacker.key]) {
    const body = await subaccountBody(main, taken)
    refused(await api.post(path, body), { status: 422, code: 2, says: /^ACCOUNT_ALREADY_EXISTS/ })
  }
  const agent = await subaccountBody(main, victim.agent)
  refused(await api.post(path, agent), { status: 422, code: 51, says: /^UNSUPPORTED_OPERATION/ })
  assert.equal(hash(), untouched)
  const { id } = dataOf<{ id: string }>(await live.sandbox('snapshot', {}))
  dataOf(await api.post(path, good))
  refused(await api.post(path, good), { status: 400, says: /^REPLAYED: Invalid message/ })
  dataOf(await live.sandbox('revert', { id }))
  assert.equal(hash(), untouched)
})
