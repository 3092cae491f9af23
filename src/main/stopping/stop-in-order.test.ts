import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Stopping, stopInOrder, stopMsMax } from './stop-in-order.ts'

/** What was said, and the code with which it ended. */
function ended(close: Stopping['close']): Promise<Readonly<{ said: string[]; code: number }>> {
  const said: string[] = []
  return new Promise((resolve) => {
    // The timer itself keeps no process alive.
    const alive = setTimeout(() => undefined, 60_000)
    const exit = (code: number) => {
      clearTimeout(alive)
      resolve({ said, code })
    }
    const log = { fatal: (_: object, text: string) => said.push(text) }
    stopInOrder({ close, code: 7, log, exit, msMax: 20 })
  })
}

test('a stop that takes too long reports the pending step and that nothing is lost', async () => {
  const { said, code } = await ended((onWait) => {
    onWait('the snapshot')
    return new Promise(() => undefined)
  })
  assert.equal(code, 1)
  assert.deepEqual(said, [
    'stopping took longer than 0.02 s and still waits for the snapshot; ending now: everything ' +
      'acknowledged is on disk, and the next start recovers',
  ])
})

test('a stop that fails says so, and one that succeeds ends with its code', async () => {
  const failed = await ended(() => Promise.reject(new Error('no')))
  assert.equal(failed.code, 1)
  assert.match(failed.said[0]!, /^could not stop in order: .* the next start recovers$/)
  assert.deepEqual(await ended(() => Promise.resolve()), { said: [], code: 7 })
})

test('the supervisor waits longer than stopping takes', () => {
  const read = (path: string) =>
    readFileSync(new URL(`../../../../deploy/cluster/${path}`, import.meta.url), 'utf8')
  const [, unit] = /^TimeoutStopSec=(\d+)$/m.exec(read('systemd/openperp@.service'))!
  const [, node] = /x-node:[\s\S]*?stop_grace_period: (\d+)s/.exec(read('compose.yaml'))!
  for (const seconds of [unit, node]) assert.ok(Number(seconds) * 1_000 > stopMsMax, seconds)
})
