// Messages to the thread of a verifier. The fake thread records messages, and answers on demand, so
// that nothing depends on timing.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { afterEach, mock, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { BroadcastChannel } from 'node:worker_threads'
import { signerOf } from '../../../test/support/signer.ts'
import { createVerifiers, OverloadedError, VerifierFailedError } from './verifiers.ts'

const siblingUrl = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)

type Given = Readonly<{
  thread: number
  texts: readonly string[]
  space: number
  /** Whether something is left in it of the batch before. */
  used: boolean
}>
type Requested = Readonly<{ answer: Promise<boolean> }>

let channels = 0

/** Verifiers with threads that hold what they are given. */
class Held {
  readonly given: Given[] = []
  readonly verifiers
  private readonly name = `held verifiers ${++channels}`
  private readonly channel = new BroadcastChannel(this.name)
  private heard: () => void = () => {}

  constructor(options: Readonly<Record<string, number>> = { threads: 1 }) {
    this.channel.onmessage = (event) => {
      const { data } = event as Readonly<{ data: Given }>
      this.given.push(data)
      this.heard()
    }
    const code = `
      import { BroadcastChannel, parentPort, threadId } from 'node:worker_threads'
      import { answerChecks } from ${siblingUrl('./check-batch.js')}
      const channel = new BroadcastChannel(${JSON.stringify(this.name)})
      parentPort.on('message', (task) => {
        const texts = []
        const used = Buffer.from(task.space).subarray(task.bytes).some((byte) => byte !== 0)
        answerChecks(task, (_, message) => {
          texts.push(String(message).trim())
          return !texts.at(-1).startsWith('bad')
        })
        channel.postMessage({ thread: threadId, texts, space: task.space.byteLength, used })
      })
      channel.onmessage = ({ data }) => {
        if (data.end === threadId) process.exit(1)
        if (data.go === threadId) parentPort.postMessage(null)
      }
    `
    const worker = new URL(`data:text/javascript,${encodeURIComponent(code)}`)
    this.verifiers = createVerifiers({ ...options, worker })
    open.push(this)
  }

  /** In one turn of the event loop. */
  async ask(texts: readonly string[], urgent = false, size = 10): Promise<readonly Requested[]> {
    const requested = texts.map((text) => ({ answer: this.verify(text, urgent, size) }))
    for (const { answer } of requested) answer.catch(() => {})
    await turn()
    return requested
  }

  verify(text: string, urgent = false, size = 10): Promise<boolean> {
    const check = { publicKey: new Uint8Array(32), signature: new Uint8Array(64) }
    return this.verifiers.verify({ ...check, message: text.padEnd(size) }, urgent)
  }

  /** The batch of this place, once a thread has it. */
  async batch(at: number): Promise<Given> {
    while (this.given.length <= at)
      await new Promise<void>((resolve) => {
        this.heard = resolve
      })
    return this.given[at]!
  }

  /** The thread that was given this batch answers its oldest one. */
  async answer(at: number, requested: readonly Requested[]): Promise<void> {
    const { thread } = await this.batch(at)
    this.channel.postMessage({ go: thread })
    await Promise.race(requested.map(({ answer }) => answer))
    await turn()
  }

  async end(at: number): Promise<void> {
    const { thread } = await this.batch(at)
    this.channel.postMessage({ end: thread })
  }

  async close(): Promise<void> {
    await this.verifiers.close()
    this.channel.close()
  }
}

const open: Held[] = []
/** What never comes fails its test. */
const bounded = { timeout: 120_000 }
afterEach(async () => {
  mock.restoreAll()
  mock.timers.reset()
  await Promise.all(open.splice(0).map((held) => held.close()))
})

const named = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `${name} ${n}`)

test(
  'a busy thread is given a second batch once sixteen wait, and never a third',
  bounded,
  async () => {
    const held = new Held()
    const first = await held.ask(['first'])
    await held.batch(0)
    await held.ask(named('few', 15))
    const second = await held.ask(['sixteenth'])
    assert.deepEqual((await held.batch(1)).texts, [...named('few', 15), 'sixteenth'])
    const third = await held.ask(named('more', 100))
    // Had a third batch gone, these would have come too late for it.
    const urgent = await held.ask(named('urgent', 10), true)
    await held.answer(0, first)
    const expected = [...named('urgent', 10), ...named('more', 54)]
    assert.deepEqual((await held.batch(2)).texts, expected)
    await held.answer(0, second)
    assert.deepEqual((await held.batch(3)).texts, named('more', 100).slice(54))
    await held.answer(0, urgent)
    await held.answer(0, third.slice(54))
    assert.equal(held.verifiers.pending(), 0)
  },
)

test('the same holds for few: they gather until the thread is free', bounded, async () => {
  const held = new Held()
  const first = await held.ask(['first'])
  await held.batch(0)
  await held.ask(named('few', 14))
  await held.ask(['last'])
  await held.answer(0, first)
  assert.deepEqual((await held.batch(1)).texts, [...named('few', 14), 'last'])
})

test(
  'urgent checks take three quarters of a batch, and all that others leave',
  bounded,
  async () => {
    const held = new Held()
    const first = await held.ask(named('first', 128))
    await held.batch(1)
    await held.ask(named('order', 20))
    await held.ask(named('cancel', 100), true)
    await held.answer(0, first.slice(0, 64))
    const cancels = named('cancel', 100)
    const expected = [...cancels.slice(0, 48), ...named('order', 16)]
    assert.deepEqual((await held.batch(2)).texts, expected)
    await held.answer(0, first.slice(64))
    // Of the 56 that are left, three quarters are 42.
    const rest = [...cancels.slice(48, 90), ...named('order', 20).slice(16), ...cancels.slice(90)]
    assert.deepEqual((await held.batch(3)).texts, rest)
  },
)

test('checks that arrive together are shared by the idle threads', bounded, async () => {
  const held = new Held({ threads: 3 })
  const requested = await held.ask(named('one', 31))
  await held.batch(2)
  assert.deepEqual(held.given.map(({ texts }) => texts.length).sort(), [10, 10, 11])
  assert.equal(new Set(held.given.map(({ thread }) => thread)).size, 3)
  const [freed] = held.given
  const answered = requested.filter((_, n) => freed!.texts.includes(`one ${n}`))
  await held.answer(0, answered)
  await held.ask(named('next', 2))
  assert.deepEqual((await held.batch(3)).texts, named('next', 2))
  assert.equal(held.given[3]!.thread, freed!.thread)
})

test(
  'a batch has one buffer; a check that is larger travels alone, in its own',
  bounded,
  async () => {
    const held = new Held()
    const full = 65_536
    // A check has 100 bytes in addition to its message.
    const half = full / 2 - 100
    const requested = await held.ask(named('half', 3), false, half)
    assert.deepEqual((await held.batch(0)).texts, named('half', 2))
    await held.answer(0, requested.slice(0, 2))
    assert.deepEqual((await held.batch(1)).texts, ['half 2'])
    await held.answer(0, requested.slice(2))
    const large = await held.ask(['large'], false, full)
    await held.batch(2)
    await held.answer(2, large)
    const small = await held.ask(['small', 'bad'])
    await held.batch(3)
    await held.answer(3, small)
    assert.deepEqual(await Promise.all(small.map(({ answer }) => answer)), [true, false])
    assert.deepEqual(
      held.given.map(({ space }) => space),
      [full, full, full + 100, full],
    )
  },
)

test('as many bytes may wait as are allowed, and not one more', bounded, async () => {
  const held = new Held({ threads: 1, pendingBytesMax: 1_000 })
  const requested = await held.ask(['half'], false, 400)
  await assert.rejects(held.verify('one byte more', false, 401), OverloadedError)
  const second = await held.ask(['exactly'], false, 400)
  assert.equal(held.verifiers.pending(), 2)
  // The bytes of what is done are free again.
  await held.answer(0, requested)
  await held.ask(['again'], false, 400)
  assert.equal(held.verifiers.pending(), 2)
  await held.answer(0, second)
})

test(
  'a check that would wait for more than a second is refused, unless it is urgent',
  bounded,
  async () => {
    let now = 0
    mock.method(performance, 'now', () => now)
    const held = new Held()
    const requested = await held.ask(named('one', 1_664))
    for (let batch = 0; batch < 6; batch++) {
      now = batch === 5 ? 250 : 0
      await held.answer(batch, requested.slice(batch * 64, batch * 64 + 64))
    }
    // 320 in 250 ms: the last of 1,280 waits for a second.
    assert.equal(held.verifiers.pending(), 1_280)
    await held.ask(['just in time'])
    assert.equal(held.verifiers.pending(), 1_281)
    await assert.rejects(held.verify('too late'), OverloadedError)
    await held.ask(['cancel'], true)
    assert.equal(held.verifiers.pending(), 1_282)
  },
)

test('time without waiting checks does not count for the pace', bounded, async () => {
  let now = 0
  mock.method(performance, 'now', () => now)
  const held = new Held()
  await held.answer(0, await held.ask(['alone']))
  now = 10_000
  const requested = await held.ask(named('one', 512))
  await held.answer(1, requested.slice(0, 64))
  await held.ask(['one more'])
  assert.equal(held.verifiers.pending(), 449)
})

test('few are taken however slow the threads are', bounded, async () => {
  let now = 0
  mock.method(performance, 'now', () => now)
  const held = new Held()
  const requested = await held.ask(named('one', 384))
  for (const batch of [0, 1]) {
    await held.answer(batch, requested.slice(batch * 64, batch * 64 + 64))
    now += 10_000
  }
  assert.equal(held.verifiers.pending(), 256)
  assert.equal((await held.ask(['the last of few'])).length, 1)
  assert.equal(held.verifiers.pending(), 257)
  await assert.rejects(held.verify('too late'), OverloadedError)
})

test('all processors but one have a thread, and each gets its share', bounded, async () => {
  const processors = Math.max(1, availableParallelism() - 1)
  const held = new Held({})
  await held.ask(named('one', processors * 2))
  await held.batch(processors - 1)
  assert.deepEqual(
    held.given.map(({ texts }) => texts.length),
    Array.from({ length: processors }, () => 2),
  )
  assert.equal(new Set(held.given.map(({ thread }) => thread)).size, processors)
})

test('8,192 checks may wait, 1,024 urgent ones, and 32 MiB', bounded, async () => {
  const held = new Held()
  await held.ask(named('order', 8_192))
  await assert.rejects(held.verify('one more'), OverloadedError)
  await held.ask(named('cancel', 1_024), true)
  await assert.rejects(held.verify('one more', true), OverloadedError)
  assert.equal(held.verifiers.pending(), 9_216)
  const large = new Held()
  await large.ask(named('large', 32), false, 1_048_576 - 100)
  assert.equal(large.verifiers.pending(), 32)
  await assert.rejects(large.verify('', false, 0), OverloadedError)
})

test('a thread that never answered is restarted a quarter of a second later', bounded, async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const held = new Held()
  const [first] = await held.ask(['first'])
  await held.end(0)
  await assert.rejects(first!.answer, VerifierFailedError)
  await held.ask(['second'])
  mock.timers.tick(249)
  // Had a thread been started by now, this would have come too late for its first batch.
  const second = await held.ask(['third'])
  mock.timers.tick(1)
  assert.deepEqual((await held.batch(1)).texts, ['second', 'third'])
  await held.answer(1, second)
  const [fourth] = await held.ask(['fourth'])
  await held.end(2)
  await assert.rejects(fourth!.answer, VerifierFailedError)
  await held.ask(['fifth'])
  mock.timers.tick(1)
  assert.deepEqual((await held.batch(3)).texts, ['fifth'])
})

test(
  'with the last thread all that waits fails, urgent or not, and room is free again',
  bounded,
  async () => {
    const held = new Held({ threads: 1, pendingBytesMax: 50_000 })
    const orders = await held.ask(named('order', 200))
    const cancels = await held.ask(named('cancel', 20), true)
    await held.end(0)
    for (const { answer } of [...orders, ...cancels])
      await assert.rejects(answer, VerifierFailedError)
    assert.equal(held.verifiers.pending(), 0)
    assert.equal((await held.ask(['again'], false, 49_000)).length, 1)
    // The thread's last message may arrive after its end.
    let at = 1
    while (!(await held.batch(at)).texts.includes('again')) at++
    assert.deepEqual(held.given[at]!.texts, ['again'])
  },
)

test('closed verifiers start no thread', bounded, async () => {
  const held = new Held({ threads: 2 })
  await held.ask(named('one', 2))
  await held.batch(1)
  const later = mock.method(globalThis, 'setTimeout')
  await held.verifiers.close()
  await turn()
  assert.equal(later.mock.callCount(), 0)
})

test('a program waits for its checks, and ends when there are none', () => {
  const { publicKey, sign } = signerOf(1)
  const signature = sign('text')
  const check = `{ publicKey: Buffer.from('${Buffer.from(publicKey).toString('hex')}', 'hex'),
    message: 'text', signature: '${signature}' }`
  const program = `
    import { createVerifiers } from ${siblingUrl('./verifiers.js')}
    const verifiers = createVerifiers({ threads: 2 })
    for (let n = 0; n < 3; n++) console.log(await verifiers.verify(${check}))
  `
  const args = ['--input-type=module', '--eval', program]
  const { stdout, status } = spawnSync(process.execPath, args, { timeout: 120_000 })
  assert.deepEqual([`${stdout}`, status], ['true\ntrue\ntrue\n', 0])
})
