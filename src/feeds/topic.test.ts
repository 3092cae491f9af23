// Readers of one topic: the frames of each, and those of a slow one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Outlet, Topic } from './topic.ts'

/** A topic that counts its flushes. */
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
  const hold = () => topic.hold(next())
  return { topic, hold, say: () => topic.queue(next()), sayNow: () => topic.send(next()) }
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

test('frames before a flush are sent in order, under the name each reader chose', () => {
  const { topic, say } = counter()
  const one = new Reader()
  const other = new Reader()
  topic.join('a', one)
  topic.join('b', other)
  say()
  say()
  assert.deepEqual(one.frames, [])
  topic.flush()
  const frames = (channel: string) => [1, 2].map((n) => ({ channel, data: n, li: n, prev: n - 1 }))
  assert.deepEqual(one.frames, frames('a'))
  assert.deepEqual(other.frames, frames('b'))
})

test('a reader that joins starts after earlier frames, and misses none that follow', () => {
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

test('a full reader is skipped and gets the newest state when it has room', () => {
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
  // A frame that waits is older than the state that the reader gets.
  say()
  slow.full = false
  topic.catchUp(subscription)
  say()
  topic.flush()
  assert.deepEqual(slow.frames, [
    { channel: 'a', data: 'all 4', li: 4, prev: null, skipped: 4 },
    { channel: 'a', data: 5, li: 5, prev: 4 },
  ])
  assert.deepEqual(
    quick.frames.map(({ data }) => data),
    [1, 2, 3, 4, 5],
  )
  topic.catchUp(subscription)
  assert.equal(slow.frames.length, 2)
})

test('an immediate frame is sent to full readers too, and not to those that left', () => {
  const { topic, sayNow } = counter()
  const slow = new Reader()
  const gone = new Reader()
  slow.full = true
  topic.join('a', slow)
  topic.leave(topic.join('a', gone))
  sayNow()
  assert.deepEqual(slow.frames, [{ channel: 'a', data: 1, li: 1, prev: 0 }])
  assert.deepEqual(gone.frames, [])
})

test('a held frame is sent at its release, and not to readers that joined after it', () => {
  const { topic, hold } = counter()
  const early = new Reader()
  const late = new Reader()
  topic.join('a', early)
  hold()
  const subscription = topic.join('a', late)
  topic.sendSnapshot(subscription)
  hold()
  assert.deepEqual(early.frames, [])
  topic.release()
  hold()
  topic.release()
  const frame = (data: unknown, li: number, prev: number | null) => ({
    ...{ channel: 'a', data, li, prev },
  })
  assert.deepEqual(early.frames, [frame(1, 1, 0), frame(2, 2, 1), frame(3, 3, 2)])
  assert.deepEqual(late.frames, [frame('all 1', 1, null), frame(2, 2, 1), frame(3, 3, 2)])
})

test('a reader that compares prev notices any missing frame', () => {
  const { topic, hold, say } = counter()
  const reader = new Reader()
  const subscription = topic.join('a', reader)
  for (let n = 0; n < 1_700; n++) {
    if (n % 7 < 4) hold()
    else say()
    if (n % 5 === 0) {
      topic.flush()
      topic.sendSnapshot(subscription)
    }
    topic.release()
    topic.flush()
  }
  const seen = reader.frames as { li: number; prev: number | null }[]
  const misses = (frames: typeof seen) =>
    frames.filter(({ prev }, at) => prev !== null && prev !== (frames[at - 1]?.li ?? 0)).length
  assert.equal(misses(seen), 0)
  let noticed = 0
  let dropped = 0
  for (let at = 0; at + 1 < seen.length; at++) {
    // A snapshot replaces everything before it.
    if (seen[at + 1]!.prev === null || seen[at]!.prev === null) continue
    dropped += 1
    if (seen[at + 1]!.prev !== (seen[at - 1]?.li ?? 0)) noticed += 1
  }
  assert.ok(dropped >= 1_000)
  assert.equal(noticed, dropped)
})
