// How long a fixture takes to be ready and to end, how much memory it has, and how many start
// together.

import { readFileSync } from 'node:fs'
import { flag, number } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'
import { Fixture } from '../support/running/fixture.ts'

const limits = { readyMs: 1_200, goneMs: 300, residentMb: 150, togetherMs: 20_000 } as const

const { runs, together, check } = programOptions({
  name: 'lab/start-time',
  about:
    'Fixtures one after the other: medians of the time until they are ready, of the time until ' +
    'they have ended, and of their memory. Then several that start together. On a busy machine ' +
    'only the processor time says something about the program.',
  options: {
    runs: number(20, 'fixtures, one after the other'),
    together: number(20, 'fixtures that start together'),
    check: flag('exit with code 1 if a target is missed'),
  },
})

function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

/** Processor time of a process so far, in milliseconds; the unit of the system is 10 ms. */
function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!

const found = {
  ...{ readyMs: [] as number[], goneMs: [] as number[], residentMb: [] as number[] },
  processorMs: [] as number[],
}
for (let run = 0; run < runs; run++) {
  const begun = performance.now()
  const fixture = new Fixture()
  const { pid } = await fixture.line
  found.readyMs.push(performance.now() - begun)
  found.processorMs.push(processorMs(pid))
  found.residentMb.push(residentMb(pid))
  const ending = performance.now()
  await fixture.end()
  found.goneMs.push(performance.now() - ending)
}
const begun = performance.now()
const all = Array.from({ length: together }, () => new Fixture())
const lines = await Promise.all(all.map(({ line }) => line))
const togetherMs = performance.now() - begun
const alive = await Promise.all(lines.map(({ url }) => fetch(`${url}/health`)))
const up = alive.filter(({ status }) => status === 200).length
await Promise.all(all.map((fixture) => fixture.end()))

const medians = {
  readyMs: median(found.readyMs),
  goneMs: median(found.goneMs),
  residentMb: median(found.residentMb),
  togetherMs,
}
for (const [name, limit] of Object.entries(limits))
  console.log(`${name.padEnd(12)} ${medians[name as keyof typeof limits].toFixed(0)} of ${limit}`)
console.log(`processor time until ready: ${median(found.processorMs)} ms`)
console.log(`${up} of ${together} up together`)
const missed = Object.entries(limits).some(
  ([name, limit]) => medians[name as keyof typeof limits] > limit,
)
if (check && (missed || up < together)) process.exitCode = 1
