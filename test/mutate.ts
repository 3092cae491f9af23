import { readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Random } from './programs/differential/random.ts'
import { Known } from './support/mutate/known.ts'
import { Lane } from './support/mutate/lane.ts'
import { applied, type Mutant, mutantsOf } from './support/mutate/mutants.ts'
import { built, historiesProgram, type Program, testsAt } from './support/mutate/programs.ts'
import { Recorder, recordedFile } from './support/mutate/recorder.ts'
import { type Zone, zones } from './support/mutate/zones.ts'
import { number, text } from './support/program/options.ts'
import { programOptions } from './support/program/program.ts'

const given = programOptions({
  name: 'mutate',
  about:
    'Makes small faults in the built modules of a zone, one at a time, and runs its tests. ' +
    'Prints the faults that no test notices. Results are kept in .mutants/, and a fault is ' +
    'tried again only with programs that have changed.',
  words: {
    name: 'zone',
    about: 'whose modules are changed',
    count: 'one',
    known: Object.keys(zones),
  },
  options: {
    sample: number(200, 'faults, drawn at random'),
    seed: number(1, 'of the faults that are drawn'),
    at: text('', 'only modules with this text in their path'),
    lanes: number(availableParallelism(), 'faults at a time', { initially: 'one for each core' }),
  },
})

const memory = join(built, '..', '.mutants')

/** `module` is a path below the build. */
type Fault = Readonly<{ module: string; source: string; mutant: Mutant }>

/** A program that may notice a fault: in which lane, with which text in place of the module's. */
type Witness = Program &
  Readonly<{
    /** How long it takes to run. */
    ms: number
    notices(lane: Lane, fault: Fault, text: string): Promise<boolean>
  }>

function modulesOf(path: string): readonly string[] {
  const module = join('src', path.replace(/\.ts$/, '.js'))
  if (!statSync(join(built, module)).isDirectory()) return [module]
  return readdirSync(join(built, module))
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

/** Time limit with a fault. */
const msMax = (ms: number) => 5 * Math.ceil(ms) + 5_000

/** It must pass without a fault, or it would notice every one. */
async function testsWitness(program: Program, first: Lane): Promise<Witness> {
  const ms = await first.timeOf(program, 600_000)
  if (ms === null) throw new Error(`${program.name}: fails without any fault`)
  const notices = (lane: Lane, { module, source }: Fault, text: string) =>
    lane.withModule(module, { text, was: source }, async () => {
      return (await lane.timeOf(program, msMax(ms))) === null
    })
  return { ...program, ms, notices }
}

async function historiesWitness(lanes: readonly Lane[]): Promise<Witness> {
  const program = historiesProgram()
  const file = await recordedFile(program, memory)
  const recorders = new Map(lanes.map((lane) => [lane, new Recorder(program, file)]))
  const first = recorders.get(lanes[0]!)!
  const started = performance.now()
  if (await first.notices(null, 600_000))
    throw new Error('the core does not answer as it did without any fault')
  const ms = performance.now() - started
  const { slowestMs } = first
  const notices = (lane: Lane, { module }: Fault, text: string) =>
    recorders.get(lane)!.notices({ path: join(built, module), text }, msMax(slowestMs))
  // The first of hundreds of histories that differs is the last.
  return { ...program, ms: ms / 10, notices }
}

async function witnessesOf(zone: Zone, lanes: readonly Lane[]): Promise<readonly Witness[]> {
  const found: Witness[] = zone.histories ? [await historiesWitness(lanes)] : []
  for (const tests of zone.tests) found.push(await testsWitness(testsAt(tests), lanes[0]!))
  return found
}

class Trial {
  readonly survivors: Fault[] = []
  private readonly witnesses: readonly Witness[]
  private readonly known: Known
  /** How many faults of a module a witness has noticed. */
  private readonly counts = new Map<string, number>()

  constructor(witnesses: readonly Witness[], known: Known) {
    this.witnesses = witnesses
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

  private async isNoticed(fault: Fault, lane: Lane): Promise<boolean> {
    const { module, source, mutant } = fault
    const text = applied(source, mutant)
    for (const witness of this.witnessesFor(module)) {
      const find = () => witness.notices(lane, fault, text)
      if (!(await this.known.ask(witness, text, find))) continue
      const key = `${module} ${witness.name}`
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
      return true
    }
    return false
  }

  /** Those that load it, first the one that has noticed the most of its faults for its time. */
  private witnessesFor(module: string): readonly Witness[] {
    const worth = ({ name, ms }: Witness) => ((this.counts.get(`${module} ${name}`) ?? 0) + 1) / ms
    return this.witnesses
      .filter(({ modules }) => modules.has(join(built, module)))
      .sort((one, other) => worth(other) - worth(one))
  }
}

async function main(): Promise<void> {
  const { words, sample, seed, at, lanes: width } = given
  const name = words[0]!
  const zone = zones[name]!
  const all = faultsOf(zone.code).filter(({ module }) => module.includes(at))
  const faults = sampled(all, sample, seed)
  if (faults.length === 0) throw new Error(`no module of ${name} has this in its path`)
  const lanes = Array.from({ length: width }, (_, n) => new Lane(join(memory, `lane-${n}`)))
  const witnesses = await witnessesOf(zone, lanes)
  console.log(`${name}: ${faults.length} of ${all.length} faults`)
  const trial = new Trial(witnesses, new Known(join(memory, `${name}.json`)))
  const waiting = [...faults]
  await Promise.all(lanes.map((lane) => trial.tryAll(waiting, lane)))
  const noticed = faults.length - trial.survivors.length
  const share = ((noticed * 100) / faults.length).toFixed(1)
  console.log(`${name}: ${noticed} of ${faults.length} noticed, ${share} %`)
}

await main()
// The recorders would wait for more.
process.exit()
