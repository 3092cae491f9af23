// A leader on a real disk and a follower, over a real socket: both publish the same, and a command
// that is submitted to one is answered as if it had been submitted to the other.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { afterEach, beforeEach, test } from 'node:test'
import { DiskHistory } from '../../../test/support/disk-history.ts'
import type { AccountId, Command, Event, WithdrawalId } from '../../core/index.ts'
import { frameHeadLength, wholeFrame } from '../../journal/frame.ts'
import type { Quote } from '../../units/units.ts'
import { encodeEntry } from '../codec.ts'
import { inexactField } from '../exact.ts'
import { NodeOutdated, Overloaded } from '../not-taken.ts'
import { type Batch, eventsOf, ownEventsOf } from '../outcome.ts'
import { followFolder } from '../replica/follow-folder.ts'
import { stateHash } from '../snapshots/state-hash.ts'
import { requireWindows } from '../stamps/signed-window.ts'
import type { Served } from './calls.ts'
import { Followed } from './followed.ts'
import type { Followers } from './followers.ts'
import { LeaderLink } from './leader-link.ts'
import { CALL, encodeMessage, encodeSubmit, FRAME, MessageReader, REFUSED } from './messages.ts'
import { RemoteSequencer } from './remote-sequencer.ts'

let history: DiskHistory
let followers: Followers
let server: Server
const lost: unknown[] = []
const streams: Socket[] = []

beforeEach(async () => {
  history = new DiskHistory(5)
  lost.length = 0
  await lead()
})

afterEach(async () => {
  for (const stream of streams.splice(0)) stream.destroy()
  followers.close()
  server.close()
  await history.end()
})

async function lead(options: { unsentBytesMax?: number } = {}): Promise<void> {
  const now = () => history.time
  await history.open({ followers: options, clocks: { wall: now, steady: now } })
  const { followers: served } = history.data
  followers = served
  server = createServer((stream) => followers.serve(stream, { twice: (n: number) => 2 * n }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

function dial(): Socket {
  const { port } = server.address() as { port: number }
  const stream = connect(port, '127.0.0.1')
  streams.push(stream)
  return stream
}

type Following = Readonly<{ remote: RemoteSequencer; followed: Followed; end: Promise<void> }>

async function follow(served: Served = {}, waitingMax?: number): Promise<Following> {
  const link = new LeaderLink(dial(), served, waitingMax)
  const end = await link.welcome()
  const follower = await followFolder(history.folder, end)
  const followed = new Followed({ follower, end })
  const remote = new RemoteSequencer(followed)
  const over = remote.followOver(link).catch((error: unknown) => void lost.push(error))
  return { remote, followed, end: over }
}

/** Events by seq, as they are published. */
function heard(of: { onBatch(listener: (batch: Batch) => void): unknown }): Map<number, Event[]> {
  const events = new Map<number, Event[]>()
  of.onBatch(({ outcomes }) => {
    for (const outcome of outcomes) events.set(outcome.seq, eventsOf(outcome))
  })
  return events
}

async function reaches(remote: RemoteSequencer, seq: number): Promise<void> {
  const deadline = Date.now() + 20_000
  while (remote.seq < seq && Date.now() < deadline) await new Promise((on) => setTimeout(on, 2))
  assert.equal(remote.seq, seq)
}

/** The leader would accept its texts now. */
function isOpen(command: Command): boolean {
  try {
    requireWindows(command, () => history.time)
    return true
  } catch {
    return false
  }
}

function nextCommand(): Command {
  for (;;) {
    const { atMs, command } = history.generator.next()
    history.time = Math.max(history.time, atMs)
    if (inexactField(command, '') === null && isOpen(command)) return command
  }
}

test('a follower publishes the same as the leader, and answers from its events', async () => {
  await history.run(60, 7)
  const { sequencer } = history.data
  const { remote, followed } = await follow()
  const [eventsHere, eventsThere] = [heard(sequencer), heard(remote)]
  for (let round = 0; round < 60; round++) {
    const answers = Array.from({ length: 1 + (round % 9) }, async (_, n) => {
      const command = nextCommand()
      const outcome = await (n % 2 === 0 ? remote.ask(command) : sequencer.submit(command))
      const own = ownEventsOf(outcome)
      history.generator.learn(eventsOf(outcome))
      if (n % 2 === 0) assert.ok(remote.seq >= outcome.seq, 'a caller now sees its own writes')
      return { seq: outcome.seq, own }
    })
    for (const { seq, own } of await Promise.all(answers))
      assert.deepEqual(
        own.filter((each) => !eventsHere.get(seq)!.some(sameAs(each))),
        [],
      )
  }
  await reaches(remote, sequencer.seq)
  assert.deepEqual(eventsThere, eventsHere)
  assert.equal(stateHash(followed.state), history.hash)
  assert.deepEqual([remote.waitingCount, lost], [0, []])
})

test('answers that come together are each read before the next frame is taken', async () => {
  const { remote } = await follow()
  const { sequencer } = history.data
  streams[0]!.pause()
  const answers = [5, 7, 9].map(async (amount, n) => {
    while (sequencer.seq < n) await new Promise((on) => setImmediate(on))
    const command = { type: 'Deposit', address: 'A', amount, reference: `${n}` } as never
    const outcome = await remote.ask(command)
    // As late as an operation that hands the answer through some functions.
    for (let step = 0; step < 20; step++) await null
    const events = ownEventsOf(outcome)
    return events.flatMap((event) => (event.type === 'Deposited' ? [event.amount] : []))
  })
  while (sequencer.seq < 3) await new Promise((on) => setImmediate(on))
  streams[0]!.resume()
  assert.deepEqual(await Promise.all(answers), [[5], [7], [9]])
})

const sameAs = (one: Event) => (other: Event) => JSON.stringify(one) === JSON.stringify(other)

test('a late follower begins where the leader is; reverts are followed', async () => {
  const { sequencer } = history.data
  const first = await follow()
  await history.run(40, 4)
  await sequencer.takeSnapshot('one', '')
  await history.run(40, 4)
  const second = await follow()
  assert.equal(second.remote.seq, sequencer.seq)
  await sequencer.revert('one')
  await first.remote.ask({ type: 'Tick' })
  for (const { remote, followed } of [first, second]) {
    await reaches(remote, sequencer.seq)
    assert.equal(stateHash(followed.state), history.hash)
    assert.equal(followed.timeline, 1)
  }
  assert.equal(followers.count, 2)
})

const freeze = { type: 'FreezeAccount', account: 1, frozen: true }
/** What an engine of another version, or a bug, may bring. */
const misspelled = [
  { type: 'FreezeAccounts', account: 1, frozen: true },
  { type: 'FreezeAccount', account: 1 },
  { ...freeze, account: '1' },
  { ...freeze, until: 5 },
]
const spelled = (command: object) =>
  encodeEntry({ atMs: 0, entry: { kind: 'command', command: command as Command, by: null } })

test('an invalid record of a command is refused, and nothing is written', async () => {
  const { remote } = await follow()
  const stream = dial()
  const answers = new MessageReader()
  stream.on('data', (piece) => answers.push(piece))
  const control = { kind: 'snapshot', id: 'one', sources: '', by: null } as const
  const tick = { kind: 'command', command: { type: 'Tick' }, by: null } as const
  const records = [
    Buffer.alloc(0),
    Buffer.alloc(64, 255),
    encodeEntry({ atMs: 0, entry: control }),
    encodeEntry({ atMs: 0, entry: tick }).subarray(0, 63),
    ...misspelled.map((command) => spelled(command)),
  ]
  records.forEach((record, n) => {
    stream.write(encodeSubmit({ id: n + 1, mayPass: false, record }))
  })
  const refused: string[] = []
  while (refused.length < records.length) {
    const message = answers.next()
    if (message === null) await once(stream, 'data')
    else if (message.kind === REFUSED) refused.push(message.bytes.toString('utf8'))
  }
  for (const text of refused) assert.match(text, /"code":"ENTRY_NOT_EXACT"/)
  assert.equal(history.data.sequencer.seq, 0)
  assert.match(refused.join(), /no command is called FreezeAccounts.*frozen is missing.*a number/)
  assert.match(refused.join(), /FreezeAccount has no field until/)
  assert.equal((await remote.ask(freeze as Command)).seq, 1)
  assert.deepEqual(history.fatal, [])
})

test('a credit by hand that does not name its operator is refused', async () => {
  const { remote } = await follow()
  const by = { who: 'ann', why: 'back' }
  const withdrawal = 1 as WithdrawalId
  const move = { type: 'MoveReserve', from: 1 as AccountId, to: 2 as AccountId } as const
  const amount = 1 as Quote
  const deposit = { type: 'Deposit', address: 'x', amount, reference: 'r' } as const
  for (const command of [
    { type: 'FailWithdrawal', withdrawal },
    { type: 'FailWithdrawal', withdrawal, by: 'bob' },
    { ...move, amount },
    deposit,
    { ...deposit, type: 'CreditDeposit', by: 'bob' },
  ] satisfies Command[])
    await assert.rejects(remote.ask(command, by), (error) => {
      assert.ok(error instanceof NodeOutdated)
      assert.match(error.message, /does not name its operator, ann: this node runs an older/)
      return true
    })
  assert.equal(history.data.sequencer.seq, 0)
  await remote.ask({ type: 'FailWithdrawal', withdrawal, by: 'ann' }, by)
  await remote.ask({ ...move, amount, by: 'ann' }, by)
  // A sandbox's faucet has no operator.
  await remote.ask(deposit)
  assert.equal(history.data.sequencer.seq, 3)
})

test('a refusal by the leader keeps its name', async () => {
  const { remote } = await follow({}, 2)
  const answers = [1, 2, 3].map(() => remote.ask({ type: 'Tick' }))
  await assert.rejects(answers[2]!, Overloaded)
  await Promise.all(answers.slice(0, 2))
  await history.data.close({ snapshot: false })
  await assert.rejects(remote.ask({ type: 'Tick' }), { code: 'SEQUENCER_STOPPED' })
})

test('each end asks the other; an answer comes behind the frames before it', async () => {
  const { sequencer } = history.data
  const no = () => Promise.reject(new Overloaded('not now'))
  const { remote }: Following = await follow({ seq: () => remote.seq, no })
  assert.equal(await remote.calls.ask('twice', 21), 42)
  await assert.rejects(remote.calls.ask('constructor'), /unknown call constructor/)
  const [link] = followers.all()
  await sequencer.submit({ type: 'Tick' })
  assert.equal(await link!.calls.ask('seq'), 1)
  await assert.rejects(link!.calls.ask('no'), { code: 'OVERLOADED', message: 'not now' })
  const waiting = remote.calls.ask('twice', 1)
  followers.close()
  await assert.rejects(waiting, { code: 'ANSWER_LOST' })
  await assert.rejects(remote.calls.ask('twice', 1), { code: 'NOBODY_LEADS' })
  await link!.gone
  await assert.rejects(link!.calls.ask('seq'), /connection to the follower lost/)
})

test('a malformed call closes its connection, and affects no other', async () => {
  for (const text of [
    'null',
    '7',
    '{}',
    '{"id":1,"name":"twice"}',
    '{"id":1,"name":7,"args":[]}',
  ]) {
    const stream = dial()
    stream.on('error', () => undefined)
    stream.resume()
    stream.write(encodeMessage(CALL, Buffer.from(text)))
    await once(stream, 'close')
  }
  const { remote } = await follow()
  assert.equal(await remote.calls.ask('twice', 21), 42)
})

test('losing the leader leaves the outcome of commands unknown, with an error', async () => {
  const { remote } = await follow()
  const pending = remote.ask({ type: 'Tick' })
  followers.close()
  await assert.rejects(pending, { code: 'ANSWER_LOST' })
  await assert.rejects(remote.ask({ type: 'Tick' }), { code: 'NOBODY_LEADS' })
  assert.equal(lost.length, 1)
})

test('a frame that does not follow is not taken; one that is there is passed over', async () => {
  const { remote, followed, end } = await follow()
  const reader = new MessageReader()
  let newest: Buffer = Buffer.alloc(0)
  streams[0]!.on('data', (piece: Buffer) => {
    reader.push(piece)
    for (let next = reader.next(); next !== null; next = reader.next())
      if (next.kind === FRAME) newest = next.bytes
  })
  await remote.ask({ type: 'Tick' })
  await remote.ask({ type: 'Tick' })
  const before = stateHash(followed.state)
  streams[0]!.emit('data', encodeMessage(FRAME, newest))
  const body = newest.subarray(frameHeadLength)
  const { bytes: other } = wholeFrame(body, { count: 1, firstSeq: 2, before: Buffer.alloc(32) })
  streams[0]!.emit('data', encodeMessage(FRAME, other))
  await end
  assert.match(String(lost), /the frame of seq 2 does not follow seq 2/)
  assert.deepEqual([remote.seq, stateHash(followed.state)], [2, before])
})

test('a leader that stops answers pending commands first', async () => {
  const { remote, end } = await follow()
  const answers = Array.from({ length: 20 }, () => remote.ask({ type: 'Tick' }))
  const { sequencer } = history.data
  while (sequencer.seq === 0 && sequencer.waitingCount === 0) await new Promise(setImmediate)
  await Promise.all(followers.all().map((link) => link.finish()))
  const settled = await Promise.allSettled(answers)
  const taken = settled.filter(({ status }) => status === 'fulfilled').length
  await end
  assert.equal(taken, sequencer.seq, 'what is in history was answered')
  assert.ok(taken > 0)
})

test('a leader that stops does not wait for a follower that does not read', {
  timeout: 120_000,
}, async () => {
  const stuck = new Duplex({ read: () => undefined, write: () => undefined })
  await followers.serve(stuck).finish()
  assert.equal(stuck.destroyed, true)
})

test('a follower that has received more than it has applied is behind', {
  timeout: 120_000,
}, async () => {
  const link = new LeaderLink(dial())
  const end = await link.welcome()
  const follower = await followFolder(history.folder, end)
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const followed = new Followed({ follower, end, feed: () => held })
  const remote = new RemoteSequencer(followed)
  void remote.followOver(link).catch(() => undefined)
  await history.run(1)
  assert.equal(await followed.reached(1, 10_000), true)
  while (link.behindMs < 200) {
    await history.run(1)
    await new Promise((later) => setTimeout(later, 5))
  }
  goOn()
  while (link.behindMs > 100) await history.run(1)
  assert.equal(await followed.reached(history.data.seq, 10_000), true)
})

test('a follower that does not read is let go', async () => {
  followers.close()
  server.close()
  await history.end()
  history = new DiskHistory(6)
  await lead({ unsentBytesMax: 20_000 })
  const stuck = new Duplex({ read: () => undefined, write: () => undefined })
  const { gone } = followers.serve(stuck)
  await history.run(300, 50)
  await gone
  assert.deepEqual([followers.count, history.fatal], [0, []])
})
