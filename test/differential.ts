// `npm run differential -- --commands 1000000 [--seeds 200] [--seed N] [--json]`: random histories
// through the core and its naive twin, compared event by event. Ends with exit code 1 on the first
// difference, broken invariant or wrong hash, and when something hardly ever occurred.
//
//   --seed N              one world of all the commands; with --seeds the first of several
//   --first N             the seed to begin with (1)
//   --views-every N       views compared every N commands (20)
//   --invariants-every N  invariants checked every N commands (1; 0: never)
//   --cuts N              snapshots continued to the end, over the whole run (200)
//   --workers N           threads (as many as there are processors)
//   --keep-going          all worlds, one line for each that fails, nothing shrunk
//   --attempts N          tries to shorten a failing history (2000)
//   --repro FILE          replays a printed history instead

import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Coverage } from './support/differential/coverage/coverage.ts'
import {
  describeFailure,
  describeRepro,
  type Failed,
  type Repro,
  reproOf,
} from './support/differential/report.ts'
import { runWorld, type WorldOptions } from './support/differential/run-world.ts'
import { historyOf, replayed } from './support/differential/shrink.ts'

type Plan = Readonly<{
  seeds: readonly number[]
  commands: number
  world: Omit<WorldOptions, 'seed'>
  workers: number
  /** Chosen worlds cannot meet everything; a whole run must. */
  wanted: number
}>
type Told = Readonly<{ failed: Failed | null; counts: ReadonlyMap<string, number> }>

const PER_MILLION = 100
const COMMANDS_PER_WORLD = 5_000

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

function planOf(): Plan {
  const commands = numberFlag('commands', 1_000_000)
  const isChosen = flag('seed') !== undefined
  const usual = isChosen ? 1 : Math.max(12, commands / COMMANDS_PER_WORLD)
  const count = Math.max(1, numberFlag('seeds', usual))
  const first = numberFlag('seed', numberFlag('first', 1))
  return {
    seeds: Array.from({ length: count }, (_, i) => first + i),
    commands,
    world: {
      commands: Math.ceil(commands / count),
      views: numberFlag('views-every', 20),
      invariants: numberFlag('invariants-every', 1),
      cuts: Math.ceil(numberFlag('cuts', 200) / count),
    },
    workers: Math.min(count, numberFlag('workers', availableParallelism())),
    wanted: isChosen ? 0 : Math.max(1, Math.floor((commands * PER_MILLION) / 1_000_000)),
  }
}

/** In a thread: every so manieth world, each told when it is done. */
function work({ plan, first }: Readonly<{ plan: Plan; first: number }>): void {
  for (let i = first; i < plan.seeds.length; i += plan.workers) {
    const seed = plan.seeds[i] as number
    const coverage = new Coverage()
    const result = runWorld({ ...plan.world, seed }, coverage)
    const { failure } = result
    const failed = failure === null ? null : { seed, ...result, failure }
    parentPort?.postMessage({ failed, counts: coverage.counts } satisfies Told)
  }
}

/** Runs all worlds in threads; `hear` says whether to go on. */
async function inThreads(plan: Plan, hear: (told: Told) => boolean): Promise<void> {
  const threads = Array.from({ length: plan.workers }, (_, first) => {
    return new Worker(new URL(import.meta.url), { workerData: { plan, first } })
  })
  const ends = threads.map((thread) => {
    thread.on('message', (told: Told) => {
      if (!hear(told)) for (const each of threads) void each.terminate()
    })
    return new Promise<void>((resolve, reject) => {
      thread.on('error', reject)
      thread.on('exit', () => resolve())
    })
  })
  await Promise.all(ends)
}

async function main(): Promise<void> {
  const plan = planOf()
  const coverage = new Coverage()
  const keepGoing = flags.includes('--keep-going')
  const failures: Failed[] = []
  const start = performance.now()
  let done = 0
  await inThreads(plan, ({ failed, counts }) => {
    coverage.merge(counts)
    done += 1
    if (done % 20 === 0) console.error(`${done} of ${plan.seeds.length} worlds`)
    if (failed === null) return true
    failures.push(failed)
    if (keepGoing) console.log(describeFailure(failed).split('\n').slice(0, 2).join('\n'))
    return keepGoing
  })
  const [failed] = failures
  if (failed !== undefined) {
    process.exitCode = 1
    if (!keepGoing) return tellFailure(failed)
    for (const name of coverage.missing(plan.wanted)) console.log(`too rare: ${name}`)
    return console.log(`${failures.length} of ${plan.seeds.length} worlds failed`)
  }
  tellCoverage(plan, coverage, (performance.now() - start) / 1_000)
}

function tellFailure(failed: Failed): void {
  console.log(describeFailure(failed))
  console.log('shrinking …')
  console.log(describeRepro(reproOf(failed, numberFlag('attempts', 2_000))))
}

function tellCoverage(plan: Plan, coverage: Coverage, seconds: number): void {
  const { commands, wanted } = plan
  const worlds = plan.seeds.length
  const [first] = plan.seeds
  const missing = coverage.missing(wanted)
  const counts = Object.fromEntries([...coverage.counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  if (flags.includes('--json')) {
    const cuts = plan.world.cuts * worlds
    const found = { commands, first, worlds, cuts, seconds, differences: 0, missing, counts }
    console.log(JSON.stringify(found))
  } else {
    for (const [name, count] of Object.entries(counts)) console.log(`${count}`.padStart(9), name)
    console.log(`${commands} commands in ${worlds} worlds, no difference, ${seconds.toFixed(0)} s`)
    for (const name of missing) console.log(`too rare (wanted ${wanted}): ${name}`)
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
if (!isMainThread) work(workerData)
else if (repro !== undefined) replayFile(repro)
else await main()
