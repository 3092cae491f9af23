// One round of `bench/recovery --against`: a built checkout writes a journal of the flow into a
// folder, or recovers the journal in it.

import { waitedForCoreMs } from '../options.ts'
import { loadBuild, submitAll } from './build.ts'
import { opening, SignedFlow, START_MS } from './signed-flow.ts'

const [checkout, folder, commands] = process.argv.slice(2) as [string, string, string?]
const build = await loadBuild(checkout)
const clock = { atMs: START_MS }
const waited = waitedForCoreMs()
const data = await build.open(folder, clock)
const ms = data.recovery.ms - (waitedForCoreMs() - waited)
if (commands !== undefined) {
  await submitAll(data, opening(), 64)
  const flow = new SignedFlow(Number.parseInt(commands, 10), clock)
  await submitAll(data, flow.commands(), 64)
}
const { state, seq } = data.sequencer
await data.close({ snapshot: false })
console.log(JSON.stringify({ ms, entries: seq, hash: build.stateHash(state) }))
