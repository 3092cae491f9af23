// Readers of one topic: who is told what, and what a slow one gets.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Outlet, Topic } from './topic.ts'

/** A topic that counts how often it was asked to say something. */
function counter() {
  let count = 0
  const next = () => {
    count += 1
    return { data: `${count}`, li: count }
  }
  const id = { channel: 'prices', of: 'all', key: 'prices' } as const
  const snapshot = () => ({ data: `"all ${count}"`, li: count })
  const topic = new Topic(
    id,
    () => count,
    () => ({ snapshot }),
  )
  return { topic, say: () => topic.queue(next()), sayNow: () => topic.send(next()) }
}

class Reader implements Outlet {
  full = false
  readonly frames: Record<string, unknown>[] = []

  isFull(): boolean {
    return this.full
  }

  push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      assert.equal(bytes[at], 0x81)
      const short = bytes[at + 1]!
      const length = short < 126 ? short : bytes.readUInt16BE(at + 2)
      const from = at + (short < 126 ? 2 : 4)
      this.frames.push(JSON.parse(bytes.toString('utf8', from, from + length)) as never)
      at = from + length
    }
  }
}

test('what is said before a flush comes in order, under the name each reader chose', () => {
  const { topic, say } = counter()
  const one = new Reader()
  const other = new Reader()
  topic.join('a', one)
  topic.join('b', other)
  say()
  say()
  assert.deepEqual(one.frames, [])
  topic.flush()
  const frames = (channel: string) => [1, 2].map((n) => ({ channel, data: n, li: n }))
  assert.deepEqual(one.frames, frames('a'))
  assert.deepEqual(other.frames, frames('b'))
})

test('who joins begins after what was said, and misses nothing that follows', () => {
  const { topic, say } = counter()
  const early = new Reader()
  const late = new Reader()
  topic.join('a', early)
  say()
  topic.sendSnapshot(topic.join('a', late))
  say()
  topic.flush()
  assert.deepEqual(
    late.frames.map(({ data }) => data),
    ['all 1', 2],
  )
  assert.deepEqual(
    early.frames.map(({ data }) => data),
    [1, 2],
  )
})

test('a full reader is left out and gets the newest state when it can take more', () => {
  const { topic, say } = counter()
  const slow = new Reader()
  const quick = new Reader()
  const subscription = topic.join('a', slow)
  topic.join('a', quick)
  slow.full = true
  for (let n = 0; n < 3; n++) {
    say()
    topic.flush()
  }
  // What waits when it catches up is older than the state it gets.
  say()
  slow.full = false
  topic.catchUp(subscription)
  say()
  topic.flush()
  assert.deepEqual(slow.frames, [
    { channel: 'a', data: 'all 4', li: 4, skipped: 4 },
    { channel: 'a', data: 5, li: 5 },
  ])
  assert.deepEqual(
    quick.frames.map(({ data }) => data),
    [1, 2, 3, 4, 5],
  )
  topic.catchUp(subscription)
  assert.equal(slow.frames.length, 2)
})

test('what is said at once goes to full readers too, and nothing to those who left', () => {
  const { topic, sayNow } = counter()
  const slow = new Reader()
  const gone = new Reader()
  slow.full = true
  topic.join('a', slow)
  topic.leave(topic.join('a', gone))
  sayNow()
  assert.deepEqual(slow.frames, [{ channel: 'a', data: 1, li: 1 }])
  assert.deepEqual(gone.frames, [])
})
