// A few seconds of `npm run x torture/overload`, checked by the replies and not by their speed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOverload } from '../support/overload/run.ts'

test('however much is sent, orders are carried out and cancels answered', async () => {
  const isLinux = process.platform === 'linux'
  const overloaded = (overloadMs: number) =>
    runOverload({
      flags: ['--rate-limit', 'off'],
      connections: 40,
      requests: 12_000,
      capacityMs: 1_000,
      overloadMs,
      everyMs: 250,
      addresses: isLinux ? ['127.0.0.2', '127.0.0.1'] : ['127.0.0.1'],
      say: () => undefined,
    })
  let overloadMs = 4_000
  let run = await overloaded(overloadMs)
  // A busy machine gets more time, not another bar.
  while (run.overload.good <= 100) {
    overloadMs *= 2
    run = await overloaded(overloadMs)
  }
  const { overload, waits } = run
  assert.equal(overload.closed, 0, 'a client that is merely fast is not disconnected')
  assert.ok(overload.busy <= overload.good, JSON.stringify(overload))
  for (const each of waits) {
    assert.ok(each.length > 0)
    assert.deepEqual(
      each.filter(({ answered }) => !answered),
      [],
    )
  }
})
