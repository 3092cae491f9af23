// The renewals of a lease, on a clock that the test sets: from when a lease is counted, when it is
// not renewed, and how it ends.

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { LeaseMemory } from './lease-memory.ts'
import { progressMsMax, Renewal } from './renewal.ts'
import { StoreFault } from './store-fault.ts'

const leaseMs = 3_000
const beatMs = leaseMs / 4

class Scene {
  time = 1_000_000
  readonly memory = new LeaseMemory()
  readonly renewedAt: number[] = []
  faults: StoreFault[] = []
  stepDowns = 0
  hangs = 0
  /** Of a renewal, before it is answered. */
  answer: () => Promise<boolean> = async () => false
  check: () => Promise<void> = async () => undefined
  readonly renewal: Renewal

  constructor() {
    this.renewal = new Renewal(
      {
        renew: () => {
          this.renewedAt.push(this.time)
          return this.answer()
        },
        check: () => this.check(),
        memory: this.memory,
        leaseMs,
        now: () => this.time,
        onStepDown: () => {
          this.stepDowns += 1
        },
        onHang: () => {
          this.hangs += 1
        },
        onEnd: (fault) => {
          // The reason is there before the end can be seen.
          assert.notEqual(this.memory.endsAt, 0)
          this.faults.push(fault)
        },
      },
      this.time,
    )
  }

  /** Time passes; the trading thread shows progress. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += beatMs) {
      this.memory.progressAt = this.time
      await this.stall(Math.min(beatMs, ms - passed))
    }
  }

  /** Time passes, and the trading thread shows nothing. */
  async stall(ms: number): Promise<void> {
    this.time += ms
    mock.timers.tick(ms)
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }

  async stallUntil(isSo: () => boolean): Promise<void> {
    for (const end = this.time + 10 * progressMsMax; this.time < end; ) {
      if (isSo()) return
      await this.stall(beatMs)
    }
    assert.fail('it renews without progress')
  }

  get leftMs(): number {
    return this.memory.endsAt - this.time
  }
}

function scene(work: (scene: Scene) => Promise<void>): () => Promise<void> {
  return async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const made = new Scene()
    try {
      await work(made)
    } finally {
      made.renewal.stop()
      mock.timers.reset()
    }
  }
}

test(
  'a lease is counted from before its renewal was sent',
  scene(async (at) => {
    assert.equal(at.leftMs, leaseMs)
    let answered: (isStepDown: boolean) => void = () => undefined
    at.answer = () =>
      new Promise((resolve) => {
        answered = resolve
      })
    await at.pass(beatMs)
    at.time += 500
    answered(false)
    await at.stall(0)
    assert.equal(at.leftMs, leaseMs - 500)
  }),
)

test(
  'a lease is renewed as long as the trading thread shows progress',
  scene(async (at) => {
    await at.pass(20 * leaseMs)
    assert.deepEqual(at.faults, [])
    assert.ok(at.leftMs >= leaseMs - beatMs)
    at.answer = async () => true
    await at.pass(beatMs)
    assert.equal(at.stepDowns, 1)
  }),
)

test(
  'a trading thread without progress loses the lease after the limit and one lease',
  scene(async (at) => {
    await at.pass(beatMs)
    const hungAt = at.time
    await at.stallUntil(() => at.faults.length > 0)
    assert.equal(at.hangs, 1)
    assert.match(at.faults[0]!.message, /no progress for 10000 ms/)
    const lastAt = at.renewedAt.at(-1)! - hungAt
    assert.ok(lastAt <= progressMsMax, `renewed after ${lastAt} ms`)
    assert.ok(at.time - hungAt <= progressMsMax + leaseMs + beatMs)
    assert.equal(at.memory.endsAt, 0)
  }),
)

test(
  'a trading thread that resumes before the end of the lease keeps it',
  scene(async (at) => {
    await at.pass(beatMs)
    await at.stallUntil(() => at.hangs > 0)
    await at.pass(3 * leaseMs)
    assert.deepEqual(at.faults, [])
    assert.ok(at.leftMs > 0)
  }),
)

test(
  'a lease that has ended is not continued by a late answer',
  scene(async (at) => {
    let answered: (isStepDown: boolean) => void = () => undefined
    at.answer = () =>
      new Promise((resolve) => {
        answered = resolve
      })
    await at.pass(beatMs)
    at.time += leaseMs
    answered(false)
    await at.stall(0)
    assert.equal(at.faults[0]?.code, 'LEAD_LOST')
    assert.equal(at.memory.endsAt, 0)
    await at.pass(leaseMs)
    assert.equal(at.renewedAt.length, 1)
    assert.equal(at.faults.length, 1)
  }),
)

test(
  'a slow store gets as many requests, and a lease is longer from its answer on',
  scene(async (at) => {
    let checked: () => void = () => undefined
    at.check = () =>
      new Promise((resolve) => {
        checked = resolve
      })
    await at.pass(beatMs)
    // Before the check is answered.
    assert.equal(at.leftMs, leaseMs)
    at.time += beatMs - 100
    checked()
    await at.stall(0)
    await at.stall(100)
    assert.deepEqual(
      at.renewedAt.map((time) => time - at.renewedAt[0]!),
      [0, beatMs],
    )
  }),
)

test(
  'a store that must not be used ends the lease',
  scene(async (at) => {
    at.check = async () => {
      throw new StoreFault('STORE_NOT_REPLICATED', 'alone')
    }
    await at.pass(beatMs)
    assert.equal(at.faults[0]?.code, 'STORE_NOT_REPLICATED')
    assert.equal(at.memory.endsAt, 0)
  }),
)

test(
  'a renewal that fails ends the lease with its reason',
  scene(async (at) => {
    at.answer = async () => {
      throw new StoreFault('STORE_NOT_REPLICATED', 'alone')
    }
    await at.pass(beatMs)
    assert.equal(at.faults[0]?.code, 'STORE_NOT_REPLICATED')
    assert.equal(at.memory.endsAt, 0)
  }),
)
