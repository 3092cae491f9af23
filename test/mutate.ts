// `npm run mutate -- <zone> [--sample 200] [--seed 1] [--at part-of-path] [--lanes 2]`: puts small
// faults into the built modules of a zone, one at a time, and runs its tests. A fault that no test
// notices is printed. What was tried before is kept in `.mutants/`, and tried again only with
// programs that have changed.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Random } from './support/differential/random.ts'
import { Known } from './support/mutate/known.ts'
import { Lane } from './support/mutate/lane.ts'
import { applied, type Mutant, mutantsOf } from './support/mutate/mutants.ts'
import { built, historiesIn, type Program, testsAt } from './support/mutate/programs.ts'
import { type Zone, zones } from './support/mutate/zones.ts'

const memory = join(built, '..', '.mutants')

/** `module` is a path below the build. */
type Fault = Readonly<{ module: string; source: string; mutant: Mutant }>
/** With the time that it takes without a fault. */
type Timed = Program & Readonly<{ ms: number }>

function flag(name: string, otherwise: string): string {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise)
}

function modulesOf(path: string): readonly string[] {
  const module = join('src', path.replace(/\.ts$/, '.js'))
  if (!statSync(join(built, module)).isDirectory()) return [module]
  return readdirSync(join(built, module), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && !name.endsWith('.test.js'))
    .sort()
    .map((name) => join(module, name))
}

function faultsOf(code: readonly string[]): readonly Fault[] {
  return code.flatMap(modulesOf).flatMap((module) => {
    const source = readFileSync(join(built, module), 'utf8')
    return mutantsOf(source).map((mutant) => ({ module, source, mutant }))
  })
}

function sampled(faults: readonly Fault[], count: number, seed: number): readonly Fault[] {
  const random = new Random(seed)
  const left = [...faults]
  const taken: Fault[] = []
  while (taken.length < count && left.length > 0)
    taken.push(...left.splice(random.below(left.length), 1))
  return taken
}

/** They must pass without a fault: what does not would notice every one. */
async function timed(programs: readonly Program[], lane: Lane): Promise<readonly Timed[]> {
  const found: Timed[] = []
  for (const program of programs) {
    const ms = await lane.timeOf(program, 600_000)
    if (ms === null) throw new Error(`${program.name}: fails without any fault`)
    found.push({ ...program, ms: Math.ceil(ms) })
  }
  return found
}

async function programsOf({ histories, tests }: Zone, lane: Lane): Promise<readonly Program[]> {
  const asked = tests.map(testsAt)
  if (!histories) return asked
  const { file, asked: recorded, making } = historiesIn(memory)
  if (!existsSync(file) && (await lane.timeOf(making, 600_000)) === null)
    throw new Error('the core and its twin differ without any fault')
  return [recorded, ...asked]
}

class Trial {
  readonly survivors: Fault[] = []
  private readonly programs: readonly Timed[]
  private readonly known: Known
  /** How many faults of a module a program has noticed. */
  private readonly counts = new Map<string, number>()

  constructor(programs: readonly Timed[], known: Known) {
    this.programs = programs
    this.known = known
  }

  /** One after the other, in this lane, until none is left. */
  async tryAll(faults: Fault[], lane: Lane): Promise<void> {
    for (let fault = faults.pop(); fault !== undefined; fault = faults.pop()) {
      if (await this.isNoticed(fault, lane)) continue
      this.survivors.push(fault)
      const { line, change } = fault.mutant
      console.log(`  survived: ${fault.module}:${line}: ${change}`)
    }
  }

  private async isNoticed({ module, source, mutant }: Fault, lane: Lane): Promise<boolean> {
    const text = applied(source, mutant)
    for (const program of this.programsFor(module)) {
      const noticed = await this.known.ask(program, text, () =>
        lane.withModule(module, { text, was: source }, async () => {
          return (await lane.timeOf(program, 5 * program.ms + 5_000)) === null
        }),
      )
      if (!noticed) continue
      const key = `${module} ${program.name}`
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
      return true
    }
    return false
  }

  /** Those that load it, first what has noticed most of its faults for its time. */
  private programsFor(module: string): readonly Timed[] {
    const worth = ({ name, ms }: Timed) => ((this.counts.get(`${module} ${name}`) ?? 0) + 1) / ms
    return this.programs
      .filter(({ modules }) => modules.has(join(built, module)))
      .sort((one, other) => worth(other) - worth(one))
  }
}

async function main(): Promise<void> {
  const name = process.argv[2] ?? ''
  const zone = zones[name]
  if (zone === undefined) throw new Error(`which zone? ${Object.keys(zones).join(', ')}`)
  const all = faultsOf(zone.code).filter(({ module }) => module.includes(flag('--at', '')))
  const faults = sampled(all, Number(flag('--sample', '200')), Number(flag('--seed', '1')))
  if (faults.length === 0) throw new Error(`no module of ${name} has this in its path`)
  const width = Number(flag('--lanes', `${availableParallelism()}`))
  const lanes = Array.from({ length: width }, (_, at) => new Lane(join(memory, `lane-${at}`)))
  const programs = await timed(await programsOf(zone, lanes[0]!), lanes[0]!)
  console.log(`${name}: ${faults.length} of ${all.length} faults`)
  const trial = new Trial(programs, new Known(join(memory, `${name}.json`)))
  const waiting = [...faults]
  await Promise.all(lanes.map((lane) => trial.tryAll(waiting, lane)))
  const noticed = faults.length - trial.survivors.length
  const share = ((noticed * 100) / faults.length).toFixed(1)
  console.log(`${name}: ${noticed} of ${faults.length} noticed, ${share} %`)
}

await main()
