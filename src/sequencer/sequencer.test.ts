import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  forgetfulSources,
  MemorySavedStates,
  memoryJournal,
} from '../../test/support/small-exchange/memory-journal.ts'
import { listing, order } from '../../test/support/small-exchange/small-exchange.ts'
import { type Command, createState } from '../core/index.ts'
import { eventsOf } from './outcome.ts'
import { Pace } from './pace.ts'
import type { Journal, SourceMemory } from './ports.ts'
import { beginning, Replica } from './replica/replica.ts'
import { Sequencer, type SequencerParts } from './sequencer.ts'
import { stateHash } from './snapshots/state-hash.ts'

const START = 1_750_003_210_000
const genesis = {
  pricesMayStand: true,
  feesAddress: 'fees',
  insuranceAddress: 'insurance',
  deficitAddress: 'deficit',
  feeTiers: [{ volumeDollars: 0, makerPpm: 150, takerPpm: 400 }] as never,
}
const tick: Command = { type: 'Tick' }
const command = (plain: object) => plain as unknown as Command
const deposit = (address: string) =>
  command({ type: 'Deposit', address, amount: 1e12, reference: `for ${address}` })

/** Appends resolve when the test says so. */
class SlowJournal implements Journal {
  readonly batches: number[] = []
  private go: (() => void)[] = []
  private stop: ((error: Error) => void)[] = []

  append(_body: Uint8Array, count: number): Promise<void> {
    this.batches.push(count)
    return new Promise((go, stop) => {
      this.go.push(go)
      this.stop.push(stop)
    })
  }

  /** Waits until an append is under way, then lets it succeed or fail. */
  async finish(error?: Error): Promise<void> {
    while (this.go.length === 0) await turn()
    const go = this.go.shift()!
    const stop = this.stop.shift()!
    if (error === undefined) go()
    else stop(error)
    await turn()
  }

  async close(): Promise<void> {}
}

const turn = () => new Promise((done) => setImmediate(done))

function made(chosen: Partial<SequencerParts> = {}) {
  const clock = { time: START, now: () => clock.time }
  const fatal: unknown[] = []
  const sequencer = new Sequencer({
    replica: new Replica(createState(genesis), beginning),
    journal: memoryJournal,
    clock,
    saved: new MemorySavedStates(),
    sources: forgetfulSources,
    onFatal: (error) => fatal.push(error),
    ...chosen,
  })
  return { sequencer, clock, fatal }
}

test('commands of one turn are one batch, and the next gathers meanwhile', async () => {
  const journal = new SlowJournal()
  const { sequencer } = made({ journal })
  const published: number[][] = []
  sequencer.onBatch(({ outcomes }) => published.push(outcomes.map(({ seq }) => seq)))
  const replies: number[] = []
  const submit = () => void sequencer.submit(tick).then(({ seq }) => replies.push(seq))
  for (let n = 0; n < 3; n++) submit()
  await turn()
  for (let n = 0; n < 300; n++) submit()
  await journal.finish()
  await journal.finish()
  await journal.finish()
  assert.deepEqual(journal.batches, [3, 256, 44])
  assert.deepEqual(
    published.map(({ length }) => length),
    [3, 256, 44],
  )
  assert.deepEqual(
    replies,
    Array.from({ length: 303 }, (_, n) => n + 1),
  )
})

test('nothing is visible before it is durable', async () => {
  const journal = new SlowJournal()
  const { sequencer } = made({ journal })
  const before = stateHash(sequencer.state)
  let published = 0
  let replied = 0
  sequencer.onBatch(() => published++)
  const reply = sequencer.submit(deposit('alice')).then(() => replied++)
  for (let n = 0; n < 5; n++) await turn()
  assert.deepEqual(journal.batches, [1])
  const seen = [sequencer.seq, published, replied, stateHash(sequencer.state)]
  assert.deepEqual(seen, [0, 0, 0, before])
  await journal.finish()
  await reply
  assert.deepEqual([sequencer.seq, published, replied], [1, 1, 1])
  assert.notEqual(stateHash(sequencer.state), before)
})

test('a listener is called before the reply, and both read the same events', async () => {
  const { sequencer } = made()
  const order: string[] = []
  sequencer.onBatch(({ outcomes }) => order.push(`listener ${eventsOf(outcomes[0]!)[0]!.type}`))
  const outcome = await sequencer.submit(deposit('alice'))
  order.push(`reply ${eventsOf(outcome)[0]!.type}`)
  assert.deepEqual(order, ['listener AccountOpened', 'reply AccountOpened'])
})

test('replies of many batches each find their own events', async () => {
  const { sequencer } = made({ limits: { waitingMax: 1_000, batchMax: 2 } })
  const names = Array.from({ length: 50 }, (_, n) => `trader-${n}`)
  const read = await Promise.all(
    names.map(async (name) => {
      const outcome = await sequencer.submit(deposit(name))
      return eventsOf(outcome).find((event) => event.type === 'AccountOpened')?.address
    }),
  )
  assert.deepEqual(read, names)
})

test('engine time never goes back, even if the clock does', async () => {
  const { sequencer, clock } = made()
  const at: number[] = []
  for (const time of [START, START + 5, START - 3_600_000, START + 6]) {
    clock.time = time
    at.push((await sequencer.submit(tick)).atMs)
  }
  assert.deepEqual(at, [START, START + 5, START + 5, START + 6])
})

test('a journal that fails ends everything, and nothing of the batch is seen', async () => {
  const journal = new SlowJournal()
  const { sequencer, fatal } = made({ journal })
  const before = stateHash(sequencer.state)
  const first = assert.rejects(sequencer.submit(deposit('alice')), /EIO/)
  await turn()
  const waiting = assert.rejects(sequencer.submit(tick), /EIO/)
  await journal.finish(new Error('EIO'))
  await first
  await waiting
  await assert.rejects(sequencer.submit(tick), { code: 'SEQUENCER_STOPPED' })
  assert.equal(fatal.length, 1)
  assert.equal(stateHash(sequencer.state), before)
  assert.equal(sequencer.failed, true)
})

test('a bug in a listener or in the core ends everything', async () => {
  const { sequencer, fatal } = made()
  sequencer.onBatch(() => {
    throw new Error('a bug')
  })
  await assert.rejects(sequencer.submit(tick), /a bug/)
  await assert.rejects(sequencer.submit(tick), { code: 'SEQUENCER_STOPPED' })
  assert.match(String(fatal[0]), /a bug/)
})

test('the queue is bounded', async () => {
  const journal = new SlowJournal()
  const { sequencer } = made({ journal, limits: { waitingMax: 2, batchMax: 256 } })
  const kept = [sequencer.submit(tick), sequencer.submit(tick)]
  await assert.rejects(sequencer.submit(tick), { code: 'OVERLOADED' })
  await journal.finish()
  assert.deepEqual(
    (await Promise.all(kept)).map(({ seq }) => seq),
    [1, 2],
  )
})

test('a command that would be read back differently is refused alone', async () => {
  const { sequencer, fatal } = made()
  const odd = command({ type: 'MoveReserve', from: 2, to: 4, amount: Number.NaN })
  await assert.rejects(sequencer.submit(odd), { code: 'ENTRY_NOT_EXACT' })
  const long = command({ type: 'Deposit', address: 'x'.repeat(200_000), amount: 1, reference: '' })
  await assert.rejects(sequencer.submit(long), { code: 'ENTRY_NOT_EXACT' })
  assert.equal((await sequencer.submit(tick)).seq, 1)
  assert.deepEqual(fatal, [])
})

test('a refusal by the core is history and has a seq', async () => {
  const { sequencer } = made()
  const outcome = await sequencer.submit(command({ ...order, account: 99 }))
  assert.equal(outcome.seq, 1)
  assert.equal(eventsOf(outcome)[0]!.type, 'CommandRejected')
  assert.equal(sequencer.seq, 1)
})

const trading = [
  listing,
  { type: 'Deposit', address: 'alice', amount: 1e12, reference: 'a' },
  { type: 'Deposit', address: 'bob', amount: 1e12, reference: 'b' },
].map(command)
const further = [
  { ...order, account: 5, price: 59_000 },
  { ...order, account: 6, side: 'ask', price: 59_000, tif: 'IOC' },
  { ...order, account: 5, price: 58_000, clientOrderId: 'again' },
].map(command)

test('after a revert the same commands give the same events, ids and hash', async () => {
  const memory: string[] = []
  const sources: SourceMemory = { save: () => 'now', restore: (text) => memory.push(text) }
  const { sequencer, clock } = made({ sources })
  const timelines: number[] = []
  sequencer.onBatch(({ timeline, outcomes }) => {
    if (outcomes[0]!.entry.kind === 'revert') timelines.push(timeline)
  })
  for (const each of trading) await sequencer.submit(each)
  const saved = stateHash(sequencer.state)
  await sequencer.takeSnapshot('one', 'streams')
  assert.equal(stateHash(sequencer.state), saved)
  const play = async () => {
    clock.time = START + 10
    const events: unknown[] = []
    for (const each of further) events.push(eventsOf(await sequencer.submit(each)))
    return { events, hash: stateHash(sequencer.state) }
  }
  const first = await play()
  clock.time = START + 9_999
  await sequencer.submit(tick)
  for (let round = 1; round <= 3; round++) {
    clock.time = START
    const seq = sequencer.seq
    const outcome = await sequencer.revert('one')
    assert.equal(outcome!.seq, seq + 1)
    assert.equal(stateHash(sequencer.state), saved)
    assert.deepEqual(await play(), first)
    assert.equal(sequencer.timeline, round)
  }
  assert.deepEqual(timelines, [1, 2, 3])
  assert.deepEqual(memory, ['streams', 'streams', 'streams'])
})

test('commands behind a revert are stamped with the time of the new timeline', async () => {
  const { sequencer, clock } = made()
  await sequencer.submit(tick)
  await sequencer.takeSnapshot('one', '')
  clock.time = START + 1_000_000
  await sequencer.submit(tick)
  const reverting = sequencer.revert('one')
  await Promise.resolve()
  const behind = sequencer.submit(tick)
  clock.time = START
  await reverting
  assert.equal((await behind).atMs, START)
})

test('an unknown snapshot cannot be reverted to, and a name is used once', async () => {
  const { sequencer } = made()
  assert.equal(await sequencer.revert('none'), undefined)
  assert.equal(sequencer.seq, 0)
  await sequencer.takeSnapshot('one', '')
  await assert.rejects(sequencer.takeSnapshot('one', ''), { code: 'SNAPSHOT_EXISTS' })
  await assert.rejects(sequencer.takeSnapshot('../one', ''), { code: 'ENTRY_NOT_EXACT' })
})

test('closing finishes pending commands and accepts no others', async () => {
  const { sequencer } = made()
  const waiting = sequencer.submit(tick)
  const closed = sequencer.close()
  await assert.rejects(sequencer.submit(tick), { code: 'SEQUENCER_STOPPED' })
  assert.equal((await waiting).seq, 1)
  await closed
})

test('a cancel passes the commands of others and no one else’s of its own account', async () => {
  const journal = new SlowJournal()
  const limits = { waitingMax: 4, batchMax: 2, urgentMax: 2 }
  const { sequencer, clock } = made({ journal, limits })
  const cancel = (account: number) =>
    command({ type: 'CancelAllOrders', account, proof: null, market: 0, excludeReduceOnly: false })
  const order = (account: number) =>
    command({ ...cancel(account), type: 'ScheduleCancel', atMs: 0 })
  const pending = [sequencer.submit(tick)]
  await turn()
  for (const account of [1, 2, 3, 3]) {
    clock.time += 10
    pending.push(sequencer.submit(order(account)))
  }
  await assert.rejects(sequencer.submit(tick), { code: 'OVERLOADED' })
  clock.time += 10
  const passing = sequencer.submit(cancel(7), null, true)
  // Account 2 has a command that waits: the cancel takes its place behind it, where there is none.
  await assert.rejects(sequencer.submit(cancel(2), null, true), { code: 'OVERLOADED' })
  await assert.rejects(sequencer.submit(cancel(8)), { code: 'OVERLOADED' })
  const second = sequencer.submit(cancel(8), null, true)
  await assert.rejects(sequencer.submit(cancel(9), null, true), { code: 'OVERLOADED' })
  for (let n = 0; n < 4; n++) await journal.finish()
  const seqs = (await Promise.all([...pending, passing, second])).map(({ seq, atMs }) => [
    seq,
    atMs - START,
  ])
  assert.deepEqual(seqs, [
    [1, 0],
    [4, 10],
    [5, 20],
    [6, 30],
    [7, 40],
    [2, 10],
    [3, 10],
  ])
})

test('the pace is the rate of commands while others wait', () => {
  const pace = new Pace()
  for (let n = 0; n <= 10; n++) pace.finished(10, n * 25, true)
  assert.equal(pace.waitMs(40), 100)
})

test('a pause with a short queue is not a pace: later callers are not delayed by it', () => {
  const pace = new Pace()
  pace.finished(1, 0, true)
  pace.finished(3, 5_000, true)
  pace.finished(1, 5_001, false)
  assert.equal(pace.waitMs(2), 0)
})

test('little that is slow for long is a pace', () => {
  const pace = new Pace()
  for (let n = 0; n <= 32; n++) pace.finished(1, n * 100, true)
  assert.equal(pace.waitMs(5), 500)
})
