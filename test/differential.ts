import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Coverage } from './programs/differential/coverage/coverage.ts'
import {
  describeFailure,
  describeRepro,
  type Failed,
  type Repro,
  reproOf,
} from './programs/differential/report.ts'
import { runWorld, type WorldOptions } from './programs/differential/run-world.ts'
import { historyOf, replayed } from './programs/differential/shrink.ts'
import { flag, number, text } from './support/program/options.ts'
import { programOptions, type Values } from './support/program/program.ts'

type Plan = Readonly<{
  seeds: readonly number[]
  commands: number
  world: Omit<WorldOptions, 'seed'>
  workers: number
  /** Selected worlds cannot cover everything; a whole run must. */
  wanted: number
}>
type WorldResult = Readonly<{ failed: Failed | null; counts: ReadonlyMap<string, number> }>

const PER_MILLION = 100
const COMMANDS_PER_WORLD = 5_000

const program = {
  name: 'differential',
  about:
    'Random histories through the core and its naive twin, compared event by event. Exits with ' +
    'code 1 at the first difference, broken invariant or wrong hash, and if something hardly ' +
    'ever occurred.',
  options: {
    commands: number(1_000_000, 'commands of all worlds together', { min: 0 }),
    seeds: number(null, 'worlds', { min: 0, initially: 'one for 5,000 commands, at least 12' }),
    seed: number(null, 'one world of all the commands; with --seeds the first of them', { min: 0 }),
    first: number(1, 'the first seed', { min: 0 }),
    viewsEvery: number(20, 'views are compared every N commands', { min: 0 }),
    invariantsEvery: number(1, 'invariants are checked every N commands (0: never)', { min: 0 }),
    cuts: number(200, 'snapshots continued to the end, over the whole run', { min: 0 }),
    workers: number(availableParallelism(), 'threads', { initially: 'one for each core' }),
    keepGoing: flag('all worlds, a line for each that fails; nothing is shortened'),
    attempts: number(2_000, 'tries to shorten a failing history', { min: 0 }),
    repro: text(null, 'replay a printed history instead', 'FILE'),
    json: flag('print one JSON object instead of text'),
  },
} as const
type Given = Values<(typeof program)['options']>

function planOf(given: Given): Plan {
  const { commands } = given
  const isChosen = given.seed !== null
  const usual = isChosen ? 1 : Math.max(12, Math.floor(commands / COMMANDS_PER_WORLD))
  const count = Math.max(1, given.seeds ?? usual)
  const first = given.seed ?? given.first
  return {
    seeds: Array.from({ length: count }, (_, i) => first + i),
    commands,
    world: {
      commands: Math.ceil(commands / count),
      views: given.viewsEvery,
      invariants: given.invariantsEvery,
      cuts: Math.ceil(given.cuts / count),
    },
    workers: Math.min(count, given.workers),
    wanted: isChosen ? 0 : Math.max(1, Math.floor((commands * PER_MILLION) / 1_000_000)),
  }
}

/** In a thread: every n-th world, each reported when it is done. */
function work({ plan, first }: Readonly<{ plan: Plan; first: number }>): void {
  for (let i = first; i < plan.seeds.length; i += plan.workers) {
    const seed = plan.seeds[i] as number
    const coverage = new Coverage()
    const result = runWorld({ ...plan.world, seed }, coverage)
    const { failure } = result
    const failed = failure === null ? null : { seed, ...result, failure }
    parentPort?.postMessage({ failed, counts: coverage.counts } satisfies WorldResult)
  }
}

/** Runs all worlds in threads; `onResult` returns whether to continue. */
async function inThreads(plan: Plan, onResult: (result: WorldResult) => boolean): Promise<void> {
  const threads = Array.from({ length: plan.workers }, (_, first) => {
    return new Worker(new URL(import.meta.url), { workerData: { plan, first } })
  })
  const ends = threads.map((thread) => {
    thread.on('message', (result: WorldResult) => {
      if (!onResult(result)) for (const each of threads) void each.terminate()
    })
    return new Promise<void>((resolve, reject) => {
      thread.on('error', reject)
      thread.on('exit', () => resolve())
    })
  })
  await Promise.all(ends)
}

async function main(given: Given): Promise<void> {
  const plan = planOf(given)
  const coverage = new Coverage()
  const { keepGoing } = given
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
    if (!keepGoing) return printFailure(failed, given)
    for (const name of coverage.missing(plan.wanted)) console.log(`too rare: ${name}`)
    return console.log(`${failures.length} of ${plan.seeds.length} worlds failed`)
  }
  printCoverage(plan, coverage, { ...given, seconds: (performance.now() - start) / 1_000 })
}

function printFailure(failed: Failed, { attempts }: Given): void {
  console.log(describeFailure(failed))
  console.log('shrinking …')
  console.log(describeRepro(reproOf(failed, attempts)))
}

type Run = Readonly<{ seconds: number; json: boolean }>

function printCoverage(plan: Plan, coverage: Coverage, { seconds, json }: Run): void {
  const { commands, wanted } = plan
  const worlds = plan.seeds.length
  const [first] = plan.seeds
  const missing = coverage.missing(wanted)
  const counts = Object.fromEntries([...coverage.counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  if (json) {
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

if (!isMainThread) work(workerData)
else {
  const given = programOptions(program)
  if (given.repro !== null) replayFile(given.repro)
  else await main(given)
}
