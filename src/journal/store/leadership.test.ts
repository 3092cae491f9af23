// What a leader reads of its lease, and what it shows to the thread that renews it, with a store
// and a clock of the test.

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { Frame } from '../frame.ts'
import type { FrameStore, Lease } from './frame-store.ts'
import { Leadership } from './leadership.ts'
import { StoreFault } from './store-fault.ts'

const leaseMs = 3_000
const frame = {} as Frame

/** The lease, as the other thread changes it. */
class TestLease implements Lease {
  endsAt = leaseMs
  fault: StoreFault | null = null
  shown = 0
  readonly stepDown = new Promise<void>(() => undefined)
  readonly ended = new Promise<StoreFault>(() => undefined)

  showProgress(): void {
    this.shown += 1
  }
}

async function scene(work: (at: Scene) => Promise<void>): Promise<void> {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const at = new Scene()
  try {
    await at.begin()
    await work(at)
    await at.leadership.resign()
  } finally {
    mock.timers.reset()
  }
}

class Scene {
  time = 0
  closed = 0
  resigned = 0
  readonly lease = new TestLease()
  leadership!: Leadership
  /** Answers the pending append. */
  appended: () => void = () => undefined

  async begin(): Promise<void> {
    const store = {
      lead: async () => this.lease,
      append: () =>
        new Promise<void>((resolve) => {
          this.appended = resolve
        }),
      resign: async () => {
        // Nothing is answered any more when it is released.
        assert.equal(this.leadership.holds, false)
        this.resigned += 1
      },
      close: () => {
        this.closed += 1
      },
    } as unknown as FrameStore
    const options = { holder: 'one', leaseMs, now: () => this.time }
    this.leadership = (await Leadership.take(store, 0, options))!
  }

  pass(ms: number): void {
    this.time += ms
    this.lease.endsAt = this.time + leaseMs
    mock.timers.tick(ms)
  }

  /** How often progress is shown meanwhile. */
  async shownDuring(work: () => void | Promise<void>): Promise<number> {
    const before = this.lease.shown
    await work()
    return this.lease.shown - before
  }
}

test('an idle leader shows progress, and one whose append has no answer does not', () =>
  scene(async (at) => {
    assert.ok((await at.shownDuring(() => at.pass(10_000))) >= 10)
    const append = at.leadership.append(frame)
    assert.equal(await at.shownDuring(() => at.pass(10_000)), 0)
    const answered = async () => {
      at.appended()
      await append
    }
    assert.equal(await at.shownDuring(answered), 1)
    assert.ok((await at.shownDuring(() => at.pass(10_000))) >= 10)
    const written = at.leadership.during(new Promise<void>(() => undefined))
    assert.equal(await at.shownDuring(() => at.pass(10_000)), 0)
    void written
  }))

test('a renewal in the other thread is seen, and so is the end of the lease', () =>
  scene(async (at) => {
    at.pass(10 * leaseMs)
    assert.equal(at.leadership.holds, true)
    assert.equal(at.leadership.leftMs, leaseMs)
    const append = at.leadership.append(frame)
    at.time += leaseMs
    assert.equal(at.leadership.holds, false)
    await assert.rejects(append, { code: 'FATE_UNKNOWN' })
    assert.equal((await at.leadership.ended).code, 'LEAD_LOST')
    assert.equal(at.closed, 1)
    // It never restarts.
    at.lease.endsAt = at.time + leaseMs
    assert.equal(at.leadership.holds, false)
    assert.equal(at.leadership.leftMs, -1)
  }))

test('an answer after the end of the lease is not an acknowledgement, without any timer', () =>
  scene(async (at) => {
    const append = at.leadership.append(frame)
    at.appended()
    at.time += leaseMs
    await assert.rejects(append, { code: 'FATE_UNKNOWN' })
  }))

test('the reason for which renewals ended is the reason of the leadership', () =>
  scene(async (at) => {
    at.lease.fault = new StoreFault('STORE_NOT_REPLICATED', 'alone')
    at.lease.endsAt = 0
    assert.equal(at.leadership.holds, false)
    assert.equal((await at.leadership.ended).message, 'alone')
  }))

test('a leader that resigns answers nothing from before its lease is released', () =>
  scene(async (at) => {
    await at.leadership.resign()
    assert.equal(at.resigned, 1)
    assert.equal((await at.leadership.ended).code, 'LEAD_RETURNED')
    assert.equal(at.closed, 1)
  }))
