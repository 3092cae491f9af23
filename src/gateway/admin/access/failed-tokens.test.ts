import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { FailedTokens } from './failed-tokens.ts'

function failedAt(clock: { ms: number }, lines: string[] = []) {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  return new FailedTokens(log, () => clock.ms)
}

const waitOf = (failed: FailedTokens, address: string) => failed.note(address, '/token').waitMs

test('a few mistakes cost nothing, and every further one doubles the wait', () => {
  const clock = { ms: 0 }
  const failed = failedAt(clock)
  const waits = Array.from({ length: 11 }, () => waitOf(failed, '192.0.2.7'))
  assert.deepEqual(waits, [0, 0, 0, 250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
  assert.equal(waitOf(failed, '192.0.2.8'), 0)
  clock.ms += 600_000
  assert.equal(waitOf(failed, '192.0.2.7'), 0)
  assert.equal(failed.total, 13)
})

test('addresses of one network wait together', () => {
  const failed = failedAt({ ms: 0 })
  const waits = ['1', '2', '3', '4', '5'].map((end) => waitOf(failed, `2001:db8::${end}`))
  assert.deepEqual(waits, [0, 0, 0, 250, 500])
})

test('memory is bounded, and rotating addresses beyond it waits longest', () => {
  const clock = { ms: 0 }
  const failed = failedAt(clock)
  for (let at = 0; at < 1_000; at++) failed.note(`10.0.${at >> 8}.${at & 255}`, '/token')
  assert.equal(failed.addresses, 1_000)
  for (let at = 0; at < 5_000; at++)
    assert.equal(waitOf(failed, `10.1.${at >> 8}.${at & 255}`), 8_000)
  assert.equal(failed.addresses, 1_000)
  clock.ms += 600_000
  assert.equal(waitOf(failed, '192.0.2.1'), 0)
})

test('each is logged with its address and without the token', () => {
  const lines: string[] = []
  failedAt({ ms: 0 }, lines).note('192.0.2.7', '/withdrawals')
  const { msg, address, path, failures } = JSON.parse(lines[0]!)
  assert.deepEqual([address, path, failures], ['192.0.2.7', '/withdrawals', 1])
  assert.equal(msg, 'a wrong admin token was refused')
})

test('waits end when the server closes', () => {
  const failed = failedAt({ ms: 0 })
  let answers = 0
  const answer = () => {
    answers += 1
  }
  failed.later({ key: '192.0.2.7', waitMs: 8_000 }, answer)
  assert.equal(answers, 0)
  failed.close()
  failed.later({ key: '192.0.2.7', waitMs: 8_000 }, answer)
  assert.equal(answers, 2)
})

test('only a few refusals wait, of an address and in all; the others are answered', (t) => {
  const failed = failedAt({ ms: 0 })
  t.after(() => failed.close())
  let answers = 0
  const later = (key: string) =>
    failed.later({ key, waitMs: 8_000 }, () => {
      answers += 1
    })
  for (let at = 0; at < 100; at++) later('192.0.2.7')
  assert.deepEqual([failed.delayed, answers], [4, 96])
  for (let at = 0; at < 100; at++) later(`198.51.100.${at}`)
  assert.deepEqual([failed.delayed, answers], [16, 184])
})
