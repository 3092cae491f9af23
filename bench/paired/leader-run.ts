// One round of `bench/leader`: a built checkout processes the flow and prints the processor time of
// the whole process, including the threads of the disk and the garbage collector.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadBuild, submitAll } from './build.ts'
import { opening, SignedFlow, START_MS } from './signed-flow.ts'

const [checkout, commands, batch] = process.argv.slice(2) as [string, string, string]

/** Until the program is compiled; it is the same work whatever an order costs. */
const warmUp = 100_000

function* firstOf<T>(all: Iterator<T>, count: number): Generator<T> {
  for (let n = 0; n < count; n++) yield all.next().value
}

const folder = mkdtempSync(join(tmpdir(), 'openperp-bench-'))
try {
  const build = await loadBuild(checkout)
  const clock = { atMs: START_MS }
  const data = await build.open(folder, clock)
  await submitAll(data, opening(), 64)
  const flow = new SignedFlow(warmUp + Number.parseInt(commands, 10), clock).commands()
  await submitAll(data, firstOf(flow, warmUp), Number.parseInt(batch, 10))
  const started = performance.now()
  const before = process.cpuUsage()
  const count = await submitAll(data, flow, Number.parseInt(batch, 10))
  const { user, system } = process.cpuUsage(before)
  const ms = performance.now() - started
  const hash = build.stateHash(data.sequencer.state)
  await data.close({ snapshot: false })
  const again = await build.open(folder, clock)
  const same = build.stateHash(again.sequencer.state) === hash
  await again.close({ snapshot: false })
  const us = (user + system) / count
  console.log(JSON.stringify({ us, count, per_second: (count * 1_000) / ms, same_hash: same }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
