import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Seen, seenName } from './seen.ts'

function kept() {
  const texts = new Map<string, string>()
  const storage = {
    get: (name: string) => texts.get(name) ?? null,
    set: (name: string, value: string) => void texts.set(name, value),
    remove: (name: string) => void texts.delete(name),
  }
  return { texts, storage, seen: new Seen(storage) }
}

test('notices that were shown count as seen at the next visit, for that account alone', () => {
  const { storage, seen } = kept()
  assert.equal(seen.open('a'), null)
  seen.saw('a', { id: 7, at: 70 })
  seen.saw('b', { id: 9, at: 90 })
  assert.deepEqual(new Seen(storage).open('a'), { id: 7, at: 70 })
  assert.equal(new Seen(storage).open('b'), null)
})

test('nothing counts as seen while a notice that has to be read is open', () => {
  const { storage, seen } = kept()
  seen.open('a')
  seen.saw('a', { id: 7, at: 70 })
  const [first, second] = [seen.hold(), seen.hold()]
  seen.saw('a', { id: 8, at: 80 })
  first()
  assert.deepEqual(new Seen(storage).open('a'), { id: 7, at: 70 })
  second()
  assert.deepEqual(new Seen(storage).open('a'), { id: 8, at: 80 })
})

test('a notice of another account releases nothing, and damage is as a first visit', () => {
  const { texts, storage, seen } = kept()
  seen.open('a')
  const closed = seen.hold()
  seen.open('b')
  seen.hold()
  closed()
  seen.saw('b', { id: 1, at: 1 })
  assert.equal(new Seen(storage).open('b'), null)
  for (const text of ['{', '[]', '{"id":"7","at":70}', 'null', '7']) {
    texts.set(seenName('c'), text)
    assert.equal(seen.open('c'), null, text)
  }
  seen.saw('c', { id: 2, at: 2 })
  seen.forget()
  assert.equal(seen.open('c'), null)
})
