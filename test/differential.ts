// `npm run differential -- --commands 1000000 [--seeds 200] [--seed N] [--json]`: random histories
// through the core and its naive twin, compared event by event. Ends with exit code 1 on the first
// difference, broken invariant or wrong hash, and when something hardly ever occurred.
//
//   --seed N              one world only, of all the commands
//   --first N             the seed to begin with (1)
//   --views-every N       views compared every N commands (20)
//   --invariants-every N  invariants checked every N commands (1; 0: never)
//   --cuts N              snapshots continued to the end, over the whole run (200)
//   --repro FILE          replays a printed history instead

import { readFileSync } from 'node:fs'
import { Coverage } from './support/differential/coverage.ts'
import {
  describeFailure,
  describeRepro,
  type Repro,
  reproOf,
} from './support/differential/report.ts'
import { runWorld } from './support/differential/run-world.ts'
import { historyOf, replayed } from './support/differential/shrink.ts'

const flags = process.argv.slice(2)

function flag(name: string): string | undefined {
  const at = flags.indexOf(`--${name}`)
  return at < 0 ? undefined : flags[at + 1]
}

function numberFlag(name: string, otherwise: number): number {
  const text = flag(name)
  if (text === undefined) return otherwise
  const value = Number.parseInt(text, 10)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} needs a number`)
  return value
}

const PER_MILLION = 100

function main(): void {
  const commands = numberFlag('commands', 1_000_000)
  const only = flag('seed') === undefined ? undefined : numberFlag('seed', 1)
  const seeds =
    only === undefined ? numberFlag('seeds', Math.max(12, Math.ceil(commands / 5_000))) : 1
  const first = only ?? numberFlag('first', 1)
  const strides = {
    views: numberFlag('views-every', 20),
    invariants: numberFlag('invariants-every', 1),
  }
  const cuts = Math.ceil(numberFlag('cuts', 200) / seeds)
  const coverage = new Coverage()
  const each = Math.ceil(commands / seeds)
  const start = performance.now()
  for (let seed = first; seed < first + seeds; seed++) {
    const result = runWorld({ seed, commands: each, cuts, ...strides }, coverage)
    const { failure } = result
    if (failure !== null) {
      fail({ seed, ...result, failure })
      return
    }
    const done = seed - first + 1
    if (!flags.includes('--json') && done % 10 === 0) console.error(`${done} of ${seeds} worlds`)
  }
  const seconds = (performance.now() - start) / 1_000
  // One world cannot meet everything; a whole run must.
  const atLeast = Math.max(1, Math.floor((commands * PER_MILLION) / 1_000_000))
  finish({
    coverage,
    missing: only === undefined ? coverage.missing(atLeast) : [],
    seconds,
    seeds,
    commands,
  })
}

function fail(failed: Parameters<typeof describeFailure>[0]): void {
  process.exitCode = 1
  console.log(describeFailure(failed))
  console.log('shrinking …')
  console.log(describeRepro(reproOf(failed, numberFlag('attempts', 2_000))))
}

type Finished = Readonly<{
  coverage: Coverage
  missing: readonly string[]
  seconds: number
  seeds: number
  commands: number
}>

function finish({ coverage, missing, seconds, seeds, commands }: Finished): void {
  const counts = Object.fromEntries([...coverage.counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  if (flags.includes('--json')) {
    console.log(JSON.stringify({ commands, seeds, seconds, differences: 0, missing, counts }))
  } else {
    for (const [name, count] of Object.entries(counts)) console.log(`${count}`.padStart(9), name)
    console.log(`${commands} commands in ${seeds} worlds, no difference, ${seconds.toFixed(0)} s`)
    for (const name of missing) console.log(`too rare: ${name}`)
  }
  if (missing.length > 0) process.exitCode = 1
}

function replayFile(path: string): void {
  const { genesis, history } = historyOf<Repro>(readFileSync(path, 'utf8'))
  const failure = replayed(genesis, history)
  if (failure !== null) process.exitCode = 1
  const failed = failure !== null && describeFailure({ seed: 0, genesis, history, failure })
  console.log(failed || 'no difference')
}

const repro = flag('repro')
if (repro === undefined) main()
else replayFile(repro)
