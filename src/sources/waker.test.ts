import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualTime } from '../../test/support/manual-time.ts'
import { MemorySequencer } from '../../test/support/memory-sequencer.ts'
import type { Command } from '../core/index.ts'
import { Overloaded } from '../sequencer/not-taken.ts'
import { eventsOf } from '../sequencer/outcome.ts'
import { SandboxClock } from './clock.ts'
import { openingCommands, standardGenesis } from './sandbox-markets.ts'
import { Waker } from './waker.ts'

const startMs = 1_750_000_001_000

async function idleExchange() {
  const time = new ManualTime(startMs)
  const clock = new SandboxClock(time.wall, 0, false)
  const exchange = new MemorySequencer(standardGenesis, () => clock)
  const fault = (error: unknown) => {
    throw error
  }
  const waker = new Waker({ exchange, clock, fault, timers: time.timers })
  const emitted: [atMs: number, type: string][] = []
  exchange.onBatch = (outcomes) => {
    for (const outcome of outcomes)
      for (const { type } of eventsOf(outcome)) emitted.push([outcome.atMs, type])
    waker.rearm()
  }
  const deposit = {
    type: 'Deposit',
    address: 'someone',
    amount: 10_000_000_000,
    reference: 'first',
  } as Command
  await Promise.all([...openingCommands(), deposit].map((each) => exchange.submit(each)))
  return { time, clock, exchange, waker, emitted }
}

const bid = (account: number): Command =>
  ({
    type: 'PlaceOrder',
    account,
    proof: null,
    market: 1,
    side: 'bid',
    price: 100_000,
    size: 1_000,
    tif: 'GTC',
    reduceOnly: false,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
  }) as unknown as Command

test('an order waiting at the speed bump is released without any other traffic', async () => {
  const { time, exchange, emitted } = await idleExchange()
  await exchange.submit(bid(exchange.state.accounts.byAddress.get('someone')!))
  assert.ok(!emitted.some(([, type]) => type === 'OrderRested'))
  await time.pass(199)
  assert.ok(!emitted.some(([, type]) => type === 'OrderRested'))
  await time.pass(51)
  const rested = emitted.find(([, type]) => type === 'OrderRested')
  assert.ok(rested !== undefined && rested[0] >= startMs + 200 && rested[0] <= startMs + 250)
})

test('an idle exchange notices that its feed is lost', async () => {
  const { time, emitted } = await idleExchange()
  await time.pass(4_400)
  assert.equal(emitted.filter(([, type]) => type === 'FeedHealthChanged').length, 0)
  await time.pass(200)
  assert.equal(emitted.filter(([, type]) => type === 'FeedHealthChanged').length, 8)
})

test('while time is held nothing is armed, and it is armed again after', async () => {
  const { time, clock, exchange, waker } = await idleExchange()
  await time.pass(100)
  clock.holdAt(clock.now())
  waker.rearm()
  assert.equal(time.armed, 0)
  const before = exchange.seq
  await time.pass(60_000)
  assert.equal(exchange.seq, before)
  clock.release()
  waker.rearm()
  assert.equal(time.armed, 1)
  await time.pass(10_000)
  assert.ok(exchange.seq > before)
})

/** Three hundred orders of one account that wait, and time passes up to their release. */
async function crowdedBump() {
  const idle = await idleExchange()
  const { time, exchange } = idle
  const account = exchange.state.accounts.byAddress.get('someone')!
  await Promise.all(Array.from({ length: 300 }, () => exchange.submit(bid(account))))
  const rested = () => idle.emitted.filter(([, type]) => type === 'OrderRested').length
  return { ...idle, rested, time }
}

test('leftover work of a command is done by the next tick, without waiting', async () => {
  const { time, rested, exchange } = await crowdedBump()
  const before = exchange.seq
  await time.pass(250)
  assert.equal(rested(), 300)
  assert.ok(exchange.seq - before >= 2)
  assert.equal(exchange.view.hasWorkLeft, false)
})

test('while time is held leftover work is done too, one tick after the other', async () => {
  const { time, clock, rested, exchange, waker } = await crowdedBump()
  clock.holdAt(clock.now() + 200)
  // The waker sends nothing by itself while nothing is left.
  await time.pass(1_000)
  assert.equal(rested(), 0)
  const ticks: Command['type'][] = []
  const { submit } = exchange
  exchange.submit = (command, by) => {
    ticks.push(command.type)
    return submit.call(exchange, command, by)
  }
  await exchange.submit({ type: 'Tick' })
  waker.rearm()
  waker.rearm()
  await time.pass(1)
  assert.deepEqual([rested(), ticks], [300, ['Tick', 'Tick']])
})

test('while an advance walks through time it brings the ticks itself', async () => {
  const { clock, exchange, waker, time } = await crowdedBump()
  clock.beginWalk(clock.now() + 200)
  await exchange.submit({ type: 'Tick' })
  waker.rearm()
  const { seq } = exchange
  await time.pass(10)
  assert.deepEqual([exchange.seq, exchange.view.hasWorkLeft], [seq, true])
  clock.endWalk(true)
  waker.rearm()
  await time.pass(1)
  assert.equal(exchange.view.hasWorkLeft, false)
})

test('a full queue is not a fault: its commands do the work of a tick', async () => {
  const time = new ManualTime(startMs)
  const faults: unknown[] = []
  let calls = 0
  const submit = () => {
    calls += 1
    return Promise.reject(new Overloaded('full'))
  }
  const view = { nextDueAt: startMs, hasWorkLeft: true } as MemorySequencer['view']
  const fault = (error: unknown) => faults.push(error)
  const clock = { now: time.wall, isHeld: false }
  const waker = new Waker({ exchange: { view, submit }, clock, fault, timers: time.timers })
  waker.rearm()
  await time.pass(10)
  waker.rearm()
  await time.pass(10)
  assert.deepEqual([calls, faults], [2, []])
})

test('a closed waker sends nothing more', async () => {
  const { time, exchange, waker } = await idleExchange()
  waker.close()
  const before = exchange.seq
  await time.pass(60_000)
  assert.equal(exchange.seq, before)
  assert.equal(time.armed, 0)
})

test('a failed queue is reported once, and the waker stops', async () => {
  const time = new ManualTime(startMs)
  const faults: unknown[] = []
  const waker = new Waker({
    exchange: {
      view: { nextDueAt: startMs + 10 } as MemorySequencer['view'],
      submit: () => Promise.reject(new Error('closed')),
    },
    clock: { now: time.wall, isHeld: false },
    fault: (error) => faults.push(error),
    timers: time.timers,
  })
  waker.rearm()
  await time.pass(5_000)
  assert.equal(faults.length, 1)
  assert.equal(time.armed, 0)
})
