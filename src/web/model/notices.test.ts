import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Notices, stacked } from './notices.ts'

/** Notices whose time passes when the test says so. */
function desk() {
  const due: (() => void)[] = []
  const notices = new Notices((work) => due.push(work))
  const link = { label: 'Why', open: () => undefined }
  const notify = (title: string, more: { stays?: boolean; about?: string } = {}) =>
    notices.show({ kind: 'plain', title, text: '', link, ...more })
  return { notices, due, notify, titles: () => notices.shown.value.map(({ title }) => title) }
}

test('important notices stay, however many come; others expire', () => {
  const { notify, titles, due } = desk()
  notify('liquidation', { stays: true })
  for (const title of ['a', 'b', 'c', 'd']) notify(title)
  assert.deepEqual(titles(), ['liquidation', 'b', 'c', 'd'])
  for (const work of due) work()
  assert.deepEqual(titles(), ['liquidation'])
})

test('with many lasting notices the oldest is removed, so that the screen stays usable', () => {
  const { notify, titles } = desk()
  for (let each = 1; each <= 7; each++) notify(`refusal ${each}`, { stays: true })
  assert.deepEqual(
    titles(),
    [3, 4, 5, 6, 7].map((each) => `refusal ${each}`),
  )
})

test('a later notice about the same thing replaces the earlier one', () => {
  const { notify, titles } = desk()
  notify('Order 7 accepted', { about: 'order 7' })
  notify('Order 8 accepted', { about: 'order 8' })
  notify('Open long BTC', { about: 'order 7' })
  assert.deepEqual(titles(), ['Order 8 accepted', 'Open long BTC'])
})

test('lasting notices are next to the newest, expiring ones behind', () => {
  const { notify, notices } = desk()
  notify('no answer', { stays: true })
  for (const title of ['a', 'b', 'c']) notify(title)
  const titles = () => stacked(notices.shown.value).map(({ title }) => title)
  assert.deepEqual(titles(), ['c', 'no answer', 'b', 'a'])
  notify('liquidation', { stays: true })
  assert.deepEqual(titles(), ['liquidation', 'no answer', 'c', 'b', 'a'])
  assert.deepEqual(stacked([]), [])
})

test('a refusal is removed when the same thing succeeds, and nothing else is', () => {
  const { notify, titles, notices } = desk()
  notify('TP/SL refused', { about: 'refused TP/SL', stays: true })
  notify('liquidation', { stays: true })
  notices.settle('refused Leverage')
  notices.settle('refused TP/SL')
  assert.deepEqual(titles(), ['liquidation'])
})
