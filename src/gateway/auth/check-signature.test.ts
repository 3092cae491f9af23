import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { signerOf } from '../../../test/support/signer.ts'
import { hardwareMessage, signingText } from '../../protocol/signing-text.ts'
import type { SigningType } from '../../protocol/signing-types.ts'
import { ApiError } from '../api-error.ts'
import { requireOwnerNamed, SignatureChecks, type TypedRequest } from './check-signature.ts'
import { createVerifiers } from './verifiers.ts'

const verifiers = createVerifiers({ threads: 1 })
const venue = { id: '0123456789abcdef0123456789abcdef', required: false }
const checks = new SignatureChecks(verifiers, venue)
after(() => verifiers.close())

const account = signerOf(1)
const agent = signerOf(2)
const now = 1_716_200_000_000
const ip = '192.0.2.7'

type Fields = Record<string, unknown>

function signedBody(type: SigningType, fields: Fields, signer = account): Fields {
  const body = { account: account.address, timestamp: now, symbol: 'BTC', order_id: 5, ...fields }
  return { ...body, signature: signer.sign(signingText(type, body)) }
}

function request(body: unknown, more: Partial<TypedRequest> = {}): TypedRequest {
  return { type: 'cancel_order', body, ip, wallNow: now, ...more }
}

async function refusal(requested: TypedRequest): Promise<ApiError> {
  return refusalBy(checks, requested)
}

async function refusalBy(by: SignatureChecks, requested: TypedRequest): Promise<ApiError> {
  return by.checkSigned(requested).then(
    () => assert.fail('was accepted'),
    (error) => {
      assert.ok(error instanceof ApiError, String(error))
      return error
    },
  )
}

const names = [
  ...['MALFORMED_REQUEST', 'INVALID_ADDRESS', 'EXPIRED', 'INVALID_SIGNATURE'],
  ...['OTHER_VENUE', 'VENUE_REQUIRED'],
]
const wordsOf: Readonly<Record<string, string>> = {
  INVALID_ADDRESS: 'Invalid public key',
  EXPIRED: 'Invalid message',
  INVALID_SIGNATURE: 'Verification failed',
}

/** Clients tell errors apart by words, so that each has its own and none of another's. */
function assertRefused(error: ApiError, name: string, pattern = /./): void {
  assert.equal(error.errorName, name, error.message)
  assert.equal(error.status, 400)
  const start = name in wordsOf ? `${name}: ${wordsOf[name]}` : `${name}: `
  assert.ok(error.message.startsWith(start), error.message)
  assert.match(error.message, pattern)
  assert.doesNotMatch(error.message, /UNKNOWN/)
  for (const other of names.filter((each) => each !== name)) {
    assert.ok(!error.message.includes(other), error.message)
    if (other in wordsOf) assert.ok(!error.message.includes(wordsOf[other]!), error.message)
  }
}

test('a good signature gives the account and the proof', async () => {
  const body = signedBody('cancel_order', { expiry_window: 5_000 })
  const text =
    '{"data":{"order_id":5,"symbol":"BTC"},"expiry_window":5000,"timestamp":1716200000000,' +
    '"type":"cancel_order"}'
  assert.deepEqual(await checks.checkSigned(request(body, { wallNow: now + 3 })), {
    account: account.address,
    proof: {
      textHash: createHash('sha256').update(text).digest('base64url'),
      signedAtMs: now,
      expiresAtMs: now + 5_000,
      agent: null,
      ip,
    },
  })
})

test('the window is 30 s when none is given', async () => {
  const { proof } = await checks.checkSigned(request(signedBody('cancel_order', {})))
  assert.equal(proof.expiresAtMs, now + 30_000)
})

test('the window is anything from a millisecond to ten minutes', async () => {
  for (const expiry_window of [1, 600_000]) {
    const { proof } = await checks.checkSigned(
      request(signedBody('cancel_order', { expiry_window })),
    )
    assert.equal(proof.expiresAtMs, now + expiry_window)
  }
})

test('valid from 10 s before the timestamp to the end of the window, both included', async () => {
  const body = signedBody('cancel_order', { expiry_window: 2_000 })
  for (const wallNow of [now - 10_000, now, now + 2_000]) {
    assert.ok(await checks.checkSigned(request(body, { wallNow })))
  }
  for (const wallNow of [now - 10_001, now + 2_001, 0, now * 2]) {
    const error = await refusal(request(body, { wallNow }))
    const reason = wallNow < now ? 'too far in the future' : 'the time to use it is over'
    assertRefused(error, 'EXPIRED', new RegExp(`${reason}.*${now}.*2000.*now ${wallNow}`))
  }
})

test('a clock that begins at zero is a clock', async () => {
  const body = signedBody('cancel_order', { timestamp: 0 })
  const { proof } = await checks.checkSigned(request(body, { wallNow: 5_000 }))
  assert.equal(proof.expiresAtMs, 30_000)
})

test('only the signed text verifies', async () => {
  const good = signedBody('cancel_order', {})
  const changes: Fields[] = [
    { order_id: 6 },
    { symbol: 'ETH' },
    { note: null },
    { timestamp: now + 1 },
    { expiry_window: 30_000 },
    { account: agent.address },
    { agent_wallet: agent.address },
    { signature: agent.sign('x') },
    { signature: 'not base58 0OIl' },
    { signature: '' },
  ]
  for (const change of changes) {
    const error = await refusal(request({ ...good, ...change }))
    assertRefused(error, 'INVALID_SIGNATURE')
    assert.equal(error.errorId, 'signature_verification_failed')
    const text = signingText('cancel_order', { ...good, ...change })
    assert.ok(error.message.endsWith(text), error.message)
  }
  assertRefused(await refusal(request(good, { type: 'edit_order' })), 'INVALID_SIGNATURE')
})

test('an agent signs in the place of the account, and the proof names it', async () => {
  const body = signedBody('cancel_order', { agent_wallet: agent.address }, agent)
  const { account: of, proof } = await checks.checkSigned(request(body))
  assert.equal(of, account.address)
  assert.equal(proof.agent, agent.address)
  const byAccount = signedBody('cancel_order', { agent_wallet: agent.address }, account)
  assertRefused(await refusal(request(byAccount)), 'INVALID_SIGNATURE')
})

test('where the agent is a parameter, the account signs, agent_wallet included', async () => {
  const type = 'bind_agent_wallet'
  const body = signedBody(type, { agent_wallet: agent.address })
  const { proof } = await checks.checkSigned(request(body, { type }))
  assert.equal(proof.agent, null)
  const other = { ...body, agent_wallet: signerOf(3).address }
  assertRefused(await refusal(request(other, { type })), 'INVALID_SIGNATURE')
  const byAgent = signedBody(type, { agent_wallet: agent.address }, agent)
  assertRefused(await refusal(request(byAgent, { type })), 'INVALID_SIGNATURE')
})

test('a hardware signature is over the off-chain form; its text has the same hash', async () => {
  const body = signedBody('cancel_order', {})
  const text = signingText('cancel_order', body)
  const value = account.sign(hardwareMessage(text))
  const hardware = { ...body, signature: { type: 'hardware', value } }
  const plain = await checks.checkSigned(request(body))
  assert.deepEqual(await checks.checkSigned(request(hardware)), plain)
  const raw = { ...body, signature: { type: 'raw', value: body.signature } }
  assert.deepEqual(await checks.checkSigned(request(raw)), plain)
  const mistaken = { ...body, signature: { type: 'hardware', value: body.signature } }
  assertRefused(await refusal(request(mistaken)), 'INVALID_SIGNATURE')
})

test('only the user form of TP/SL may come without a time, where that is allowed', async () => {
  const type = 'set_position_tpsl'
  const untimed = { timestamp: undefined, account: undefined, user: account.address }
  const body = JSON.parse(JSON.stringify(signedBody(type, untimed)))
  const { account: of, proof } = await checks.checkSigned(request(body, { type, untimed: true }))
  assert.equal(of, account.address)
  assert.equal(proof.expiresAtMs, null)
  assertRefused(await refusal(request(body, { type })), 'MALFORMED_REQUEST', /timestamp/)
  const timed = { ...body, timestamp: now - 40_000 }
  assertRefused(await refusal(request(timed, { type, untimed: true })), 'EXPIRED')
  const byAccount = { ...body, user: undefined, account: account.address }
  const requested = request(byAccount, { type, untimed: true })
  assertRefused(await refusal(requested), 'MALFORMED_REQUEST', /timestamp/)
  const both = { ...body, account: account.address }
  assertRefused(await refusal(request(both, { type, untimed: true })), 'MALFORMED_REQUEST', /both/)
})

test('a TP/SL body without an owner, or with two, is refused before other checks', () => {
  const said = (type: SigningType, body: unknown): string => {
    try {
      requireOwnerNamed(type, body)
      return 'nothing'
    } catch (error) {
      return (error as ApiError).message
    }
  }
  const type = 'set_position_tpsl'
  for (const incomplete of [{}, { user: null }, { account: null, side: 7 }])
    assert.match(said(type, incomplete), /^MALFORMED_REQUEST: user is missing/)
  assert.match(said(type, { user: 'a', account: 'a' }), /either user or account, not both/)
  assert.match(said(type, [{ user: 'a' }]), /a signed body is a JSON object/)
  for (const one of [{ user: 'a' }, { account: 'a' }, { user: 'a', account: null }])
    assert.equal(said(type, one), 'nothing')
  for (const body of [{}, [], null]) assert.equal(said('cancel_order', body), 'nothing')
})

test('user is not a header elsewhere', async () => {
  const body = { ...signedBody('cancel_order', {}), account: undefined, user: account.address }
  assertRefused(await refusal(request(body)), 'MALFORMED_REQUEST', /account is missing/)
})

test('bad addresses are refused before anything is verified', async () => {
  const body = signedBody('cancel_order', {})
  const smallOrder = '1'.repeat(32)
  for (const address of ['', 'x', smallOrder, `${account.address}1`, 'INVALID_SIGNATURE UNKNOWN']) {
    assertRefused(await refusal(request({ ...body, account: address })), 'INVALID_ADDRESS')
    const agents = { ...body, agent_wallet: address }
    assertRefused(await refusal(request(agents)), 'INVALID_ADDRESS', /agent_wallet/)
  }
})

test('missing and mistyped header fields are named', async () => {
  const good = signedBody('cancel_order', {})
  const cases: readonly (readonly [string, unknown])[] = [
    ['account', [undefined, null, 5, {}, []]],
    ['signature', [undefined, null, 5, [], {}, { type: 'hardware' }, { type: 'x', value: 'y' }]],
    ['timestamp', [undefined, null, `${now}`, -1, 1.5, true, {}, 8.64e15 + 1]],
    ['expiry_window', [0, -1, 600_001, '5000', 1.5, false, []]],
    ['agent_wallet', [5, {}, false]],
  ]
  for (const [field, values] of cases) {
    for (const value of values as unknown[]) {
      const error = await refusal(request({ ...good, [field]: value }))
      assertRefused(error, 'MALFORMED_REQUEST', new RegExp(field))
    }
  }
  for (const body of [null, undefined, 'text', 5, [], [good]]) {
    assertRefused(await refusal(request(body)), 'MALFORMED_REQUEST')
  }
})

test('data that has more than one spelling is refused even past the parser', async () => {
  for (const extra of [1.5, '\u00e9', 2 ** 60]) {
    const body = { ...signedBody('cancel_order', {}), extra }
    assertRefused(await refusal(request(body)), 'MALFORMED_REQUEST', /cannot be signed/)
  }
})

test('when verifiers are overloaded or closed, the answer is to come again', async () => {
  const few = createVerifiers({ threads: 1, urgentMax: 1 })
  const busy = new SignatureChecks(few, venue)
  const body = signedBody('cancel_order', {})
  const first = busy.checkSigned(request(body))
  const overloaded = { status: 503, errorName: 'NOT_READY', retryAfterSeconds: 1 }
  await assert.rejects(busy.checkSigned(request(body)), overloaded)
  await first
  await few.close()
  await assert.rejects(busy.checkSigned(request(body)), overloaded)
})

const elsewhere = 'fedcba9876543210fedcba9876543210'
const strict = new SignatureChecks(verifiers, { ...venue, required: true })

test('a text that names this venue is accepted, and one that names another never', async () => {
  const named = signedBody('cancel_order', { venue: venue.id })
  for (const each of [checks, strict]) {
    assert.equal((await each.checkSigned(request(named))).account, account.address)
    const other = signedBody('cancel_order', { venue: elsewhere })
    const error = await refusalBy(each, request(other))
    assertRefused(error, 'OTHER_VENUE', /this one is 0123456789abcdef0123456789abcdef /)
    assert.ok(!error.message.includes(elsewhere), 'nothing that was sent is repeated')
  }
})

test('the venue is part of the signature: it is not added, changed or removed', async () => {
  const named = signedBody('cancel_order', { venue: venue.id })
  const bare = signedBody('cancel_order', {})
  for (const body of [
    { ...named, venue: null },
    { ...bare, venue: venue.id },
  ])
    assertRefused(await refusal(request(body)), 'INVALID_SIGNATURE')
})

test('a text without a venue is rejected only where one is required', async () => {
  for (const venue of [undefined, null]) {
    const body = signedBody('cancel_order', { venue })
    assert.ok(await checks.checkSigned(request(body)))
    const error = await refusalBy(strict, request(body))
    assertRefused(error, 'VENUE_REQUIRED', /"venue":"0123456789abcdef0123456789abcdef"/)
  }
})

test('an invalid venue id is malformed', async () => {
  const wrong = [5, {}, false, '', 'x', venue.id.slice(1), `${venue.id}0`, venue.id.toUpperCase()]
  for (const value of wrong) {
    const body = signedBody('cancel_order', { venue: value })
    assertRefused(await refusal(request(body)), 'MALFORMED_REQUEST', /venue must be the id/)
  }
})

test('the texts of a subaccount name the venue, both of them', async () => {
  const sub = signerOf(3)
  const bodyFor = (venue: string, confirmed = venue) => {
    const tail = (step: string, named: string) =>
      `,"timestamp":${now},"type":"subaccount_${step}","venue":"${named}"}`
    const initiate = `{"data":{"account":"${account.address}"}${tail('initiate', venue)}`
    const sub_signature = sub.sign(initiate)
    const confirm = `{"data":{"signature":"${sub_signature}"}${tail('confirm', confirmed)}`
    const who = { main_account: account.address, subaccount: sub.address }
    const main_signature = account.sign(confirm)
    return { ...who, sub_signature, main_signature, timestamp: now, venue }
  }
  const requested = { ip, wallNow: now }
  const body = bodyFor(venue.id)
  for (const each of [checks, strict])
    assert.equal((await each.checkSubaccount({ ...requested, body })).subaccount, sub.address)
  const refused: readonly (readonly [Fields, string])[] = [
    [bodyFor(elsewhere), 'OTHER_VENUE'],
    [bodyFor(venue.id, elsewhere), 'INVALID_SIGNATURE'],
    [{ ...body, venue: null }, 'INVALID_SIGNATURE'],
  ]
  for (const [each, errorName] of refused)
    await assert.rejects(checks.checkSubaccount({ ...requested, body: each }), { errorName })
  const bare = { ...requested, body: { ...body, venue: null } }
  await assert.rejects(strict.checkSubaccount(bare), { errorName: 'VENUE_REQUIRED' })
})

test('a subaccount needs both signatures, each over its own text', async () => {
  const sub = signerOf(3)
  const tail = (step: string) => `,"timestamp":${now},"type":"subaccount_${step}"}`
  const initiate = `{"data":{"account":"${account.address}"}${tail('initiate')}`
  const subSignature = sub.sign(initiate)
  const confirm = `{"data":{"signature":"${subSignature}"}${tail('confirm')}`
  const body = {
    main_account: account.address,
    subaccount: sub.address,
    main_signature: account.sign(confirm),
    sub_signature: subSignature,
    timestamp: now,
  }
  const requested = { ip, wallNow: now }
  const signed = await checks.checkSubaccount({ ...requested, body })
  assert.equal(signed.account, account.address)
  assert.equal(signed.subaccount, sub.address)
  assert.equal(signed.proof.textHash, createHash('sha256').update(confirm).digest('base64url'))
  assert.equal(signed.proof.expiresAtMs, now + 30_000)
  const changes: readonly (readonly [Fields, string])[] = [
    [{ sub_signature: account.sign(initiate) }, 'INVALID_SIGNATURE'],
    [{ main_signature: sub.sign(confirm) }, 'INVALID_SIGNATURE'],
    [{ main_account: agent.address }, 'INVALID_SIGNATURE'],
    [{ subaccount: agent.address }, 'INVALID_SIGNATURE'],
    [{ timestamp: now + 1 }, 'INVALID_SIGNATURE'],
    [{ subaccount: 'x' }, 'INVALID_ADDRESS'],
    [{ timestamp: now - 60_000 }, 'EXPIRED'],
    [{ timestamp: null }, 'MALFORMED_REQUEST'],
    [{ main_signature: null }, 'MALFORMED_REQUEST'],
    [{ sub_signature: 7 }, 'MALFORMED_REQUEST'],
  ]
  for (const [change, errorName] of changes) {
    const changed = { ...requested, body: { ...body, ...change } }
    await assert.rejects(checks.checkSubaccount(changed), { errorName })
  }
})
