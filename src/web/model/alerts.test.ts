import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Alert, Alerts, alertsMax } from './alerts.ts'

function kept() {
  const texts = new Map<string, string>()
  const storage = {
    get: (name: string) => texts.get(name) ?? null,
    set: (name: string, value: string) => void texts.set(name, value),
    remove: (name: string) => void texts.delete(name),
  }
  const fired: [Alert, number][] = []
  return { storage, texts, fired, open: () => new Alerts(storage, (a, v) => fired.push([a, v])) }
}

const prices = (mark: string, funding = '0') =>
  new Map([['BTC', { mark, mid: mark, oracle: mark, next_funding: funding }]])

test('an alert fires once when its level is reached from the side where it was', () => {
  const { open, fired } = kept()
  const alerts = open()
  assert.equal(alerts.add({ symbol: 'BTC', source: 'mark', level: 110 }, 100), null)
  assert.equal(alerts.add({ symbol: 'BTC', source: 'mark', level: 90 }, 100), null)
  alerts.check(prices('109.9'))
  assert.equal(fired.length, 0)
  alerts.check(prices('110'))
  alerts.check(prices('111'))
  assert.deepEqual(
    fired.map(([{ level }, value]) => [level, value]),
    [[110, 110]],
  )
  alerts.check(prices('80'))
  assert.equal(fired.length, 2)
  assert.deepEqual(alerts.now.value, [])
})

test('alerts survive a reload, and damaged ones are ignored', () => {
  const { open, texts } = kept()
  open().add({ symbol: 'BTC', source: 'funding', level: 0.05 }, 0.01)
  assert.equal(open().now.value.length, 1)
  texts.set('openperp.alerts', '[{"id":1},null,3]')
  assert.deepEqual(open().now.value, [])
  texts.set('openperp.alerts', '{')
  assert.deepEqual(open().now.value, [])
})

test('funding is watched in percent', () => {
  const { open, fired } = kept()
  const alerts = open()
  alerts.add({ symbol: 'BTC', source: 'funding', level: 0.05 }, 0.01)
  alerts.check(prices('100', '0.0004'))
  assert.equal(fired.length, 0)
  alerts.check(prices('100', '0.0005'))
  assert.equal(fired.length, 1)
})

test('a level at the current value, and too many alerts, are refused with the reason', () => {
  const alerts = kept().open()
  const add = (level: number) => alerts.add({ symbol: 'BTC', source: 'mark', level }, 100)
  assert.match(add(100) ?? '', /choose a level above or below/)
  assert.match(add(Number.NaN) ?? '', /Enter a number/)
  for (let at = 0; at < alertsMax; at++) add(101 + at)
  assert.match(add(500) ?? '', /At most 50 alerts/)
})
