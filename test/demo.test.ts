import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../src/main.js', import.meta.url))

test('the session that npm start shows ends well, and with equal hashes', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /equal hashes, all invariants hold/)
  assert.doesNotMatch(stdout, /DIFFERENT|NaN|undefined/)
  const hashes = stdout.match(/[0-9a-f]{64}/g)
  assert.equal(hashes?.length, 3)
  assert.equal(new Set(hashes).size, 1)
})

test('it shows a stop, a take-profit, funding and a takeover, on one screen and a half', () => {
  const { stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8' })
  for (const part of ['stop of alice fires', 'take-profit fires', 'longs pay shorts', 'margin'])
    assert.ok(stdout.includes(part), part)
  assert.match(stdout, /backstop BTC-USD +1 BTC +57,250\.00/)
  assert.ok(stdout.split('\n').length <= 60)
})
