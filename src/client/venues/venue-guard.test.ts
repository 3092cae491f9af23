import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiRefusal, NetworkFailure, UnexpectedReply, VenueMismatch } from '../errors.ts'
import { VenueGuard, type VenueOptions, type VenuePin, type VenueReplaced } from './venue-guard.ts'

const one = '1'.repeat(32)
const two = '2'.repeat(32)
const sandbox = (venue: string): VenuePin => ({ venue, sandbox: true })
const venue = (id: string): VenuePin => ({ venue: id, sandbox: false })
const notThere = (status: number) =>
  new ApiRefusal('NOT_FOUND: no such route', {
    status,
    code: status,
    retryAfter: null,
    details: {},
  })

/** A key's guard at an exchange whose answer can change; what it stored and reported. */
function guarded(answer: unknown, kept: VenuePin | null = null, options: VenueOptions = {}) {
  const pins = new Map<string, VenuePin>(kept === null ? [] : [['key', kept]])
  const replaced: VenueReplaced[] = []
  const scene = { answer, requests: 0, pins, replaced }
  const guard = new VenueGuard({
    venues: {
      get: (address) => pins.get(address) ?? null,
      set: (address, pin) => void pins.set(address, pin),
    },
    onVenueReplaced: (change) => replaced.push(change),
    ...options,
    url: () => 'http://exchange',
    async ask() {
      scene.requests += 1
      if (scene.answer instanceof Error) throw scene.answer
      return scene.answer
    },
  })
  const venueFor = (cancels = false) => guard.venueFor('key', cancels)
  return { ...scene, scene, guard, venueFor }
}

const mismatch = (expected: string, found: string | null) => (error: unknown) => {
  assert.ok(error instanceof VenueMismatch, String(error))
  assert.deepEqual([error.address, error.expected, error.found], ['key', expected, found])
  assert.match(error.message, /nothing was signed$/)
  return true
}

test('the first exchange that a key is used with becomes its venue', async () => {
  for (const served of [sandbox(one), venue(one)]) {
    const { venueFor, pins, scene } = guarded(served)
    assert.deepEqual(await Promise.all([venueFor(), venueFor()]), [one, one])
    assert.equal(await venueFor(), one)
    assert.deepEqual([pins.get('key'), scene.requests], [served, 1])
  }
})

test('a store may return undefined for an unknown key, as a Map does', async () => {
  const pins = new Map<string, VenuePin>()
  const venues = {
    get: (address: string) => pins.get(address),
    set: (address: string, pin: VenuePin) => void pins.set(address, pin),
  }
  const { venueFor } = guarded(venue(one), null, { venues })
  assert.equal(await venueFor(), one)
  assert.deepEqual(pins.get('key'), venue(one))
})

test('another exchange is an error before signing, unless both are sandboxes', async () => {
  const errors = [
    [venue(one), venue(two)],
    [venue(one), sandbox(two)],
    [sandbox(one), venue(two)],
  ] as const
  for (const [kept, served] of errors) {
    const { venueFor, pins, replaced } = guarded(served, kept)
    for (const cancels of [false, true]) await assert.rejects(venueFor(cancels), mismatch(one, two))
    assert.deepEqual([pins.get('key'), replaced], [kept, []])
  }
  const { venueFor, pins, replaced } = guarded(sandbox(two), sandbox(one))
  assert.equal(await venueFor(), two)
  assert.deepEqual(pins.get('key'), sandbox(two))
  assert.deepEqual(replaced, [{ address: 'key', before: one, now: two }])
})

test('an exchange without venues gets texts without one, from keys without one', async () => {
  for (const absent of [notThere(404), new UnexpectedReply('no JSON', 404)]) {
    const { venueFor, pins } = guarded(absent)
    assert.deepEqual([await venueFor(), pins.size], [undefined, 0])
    for (const kept of [sandbox(one), venue(one)])
      await assert.rejects(guarded(absent, kept).venueFor(), mismatch(one, null))
    const configured = guarded(absent, null, { venue: one })
    await assert.rejects(configured.venueFor(), mismatch(one, null))
  }
})

test('a configured venue is compared and not stored', async () => {
  const { venueFor, pins } = guarded(venue(one), sandbox(two), { venue: one })
  assert.deepEqual([await venueFor(), pins.get('key')], [one, sandbox(two)])
  const other = guarded(sandbox(two), sandbox(two), { venue: one })
  await assert.rejects(other.venueFor(), mismatch(one, two))
  const none = guarded(venue(two), venue(one), { venue: null })
  assert.deepEqual([await none.venueFor(), none.scene.requests], [undefined, 0])
  assert.throws(() => guarded(null, null, { venue: 'ONE' }), /32 lower-case hexadecimal digits/)
})

test('while the exchange does not report its venue, a key names its own venue', async () => {
  const failures = [notThere(429), new NetworkFailure('gone'), new UnexpectedReply('x', 500)]
  for (const failure of [...failures, 'unexpected' as const]) {
    const answer = failure === 'unexpected' ? { venue: 'x' } : failure
    const known = guarded(answer, venue(one))
    assert.equal(await known.venueFor(), one)
    // Only a cancel by a key without a venue is sent anyway.
    const fresh = guarded(answer)
    await assert.rejects(fresh.venueFor(), failure === 'unexpected' ? UnexpectedReply : failure)
    assert.deepEqual([await fresh.venueFor(true), fresh.pins.size], [undefined, 0])
    fresh.scene.answer = venue(two)
    assert.equal(await fresh.venueFor(), two, 'it is requested again after a failure')
  }
})

test("a cancel by a key with a venue does not wait for the exchange's venue", async () => {
  const never = new Promise<never>(() => undefined)
  const { venueFor, guard } = guarded(never, venue(one))
  assert.equal(await venueFor(true), one)
  assert.equal(await venueFor(true), one)
  // The exchange reported another id: the cancel would be rejected, so it waits for the reply.
  guard.reset()
  const waiting = venueFor(true).then(() => 'went out')
  const later = new Promise((resolve) => setTimeout(resolve, 400, 'waits'))
  assert.equal(await Promise.race([waiting, later]), 'waits')
})

test('after the exchange reported another venue id, it is requested again', async () => {
  const { venueFor, guard, scene, replaced } = guarded(sandbox(one))
  assert.equal(await venueFor(), one)
  scene.answer = sandbox(two)
  assert.equal(await venueFor(), one)
  guard.reset()
  assert.deepEqual([await venueFor(), replaced.length], [two, 1])
})
