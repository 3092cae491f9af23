// `npm run mutate -- <zone> [--sample 200] [--seed 1] [--at part-of-path]`: puts small faults into
// the built modules of a zone, one at a time, and runs its tests. A fault that no test notices is
// printed. What was tried before is kept in `.mutants/` until the module or the tests change.

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Random } from './support/differential/random.ts'
import { applied, type Mutant, mutantsOf } from './support/mutate/mutants.ts'
import { noticedBy, programsOf, type Run, timed } from './support/mutate/try-mutant.ts'
import { zones } from './support/mutate/zones.ts'

const built = fileURLToPath(new URL('../', import.meta.url))
const memory = join(built, '..', '.mutants')

type Fault = Readonly<{ file: string; source: string; mutant: Mutant }>

function flag(name: string, otherwise: string): string {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise)
}

function modulesOf(path: string): readonly string[] {
  const whole = join(built, 'src', path.replace(/\.ts$/, '.js'))
  if (!statSync(whole).isDirectory()) return [whole]
  return readdirSync(whole, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && !name.endsWith('.test.js'))
    .map((name) => join(whole, name))
}

function faultsOf(code: readonly string[]): readonly Fault[] {
  return code.flatMap(modulesOf).flatMap((file) => {
    const source = readFileSync(file, 'utf8')
    return mutantsOf(source).map((mutant) => ({ file, source, mutant }))
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

/** What was found out before, by fault and all that could change the answer. */
class Known {
  private readonly file: string
  private readonly found: Record<string, string | null>
  private readonly tests: string

  constructor(zone: string, runs: readonly Run[]) {
    this.file = join(memory, `${zone}.json`)
    mkdirSync(memory, { recursive: true })
    try {
      this.found = JSON.parse(readFileSync(this.file, 'utf8'))
    } catch {
      this.found = {}
    }
    this.tests = runs.map(([program, ...args]) => `${readFileSync(program, 'utf8')}${args}`).join()
  }

  private keyOf({ source, mutant }: Fault): string {
    const { start, text } = mutant
    return createHash('sha256').update(`${source}\n${start} ${text}\n${this.tests}`).digest('hex')
  }

  get(fault: Fault): string | null | undefined {
    return this.found[this.keyOf(fault)]
  }

  set(fault: Fault, by: string | null): void {
    this.found[this.keyOf(fault)] = by
    writeFileSync(this.file, JSON.stringify(this.found))
  }
}

async function main(): Promise<void> {
  const name = process.argv[2] ?? ''
  const zone = zones[name]
  if (zone === undefined) throw new Error(`which zone? ${Object.keys(zones).join(', ')}`)
  const part = flag('--at', '')
  const all = faultsOf(zone.code).filter(({ file }) => file.includes(part))
  const faults = sampled(all, Number(flag('--sample', '200')), Number(flag('--seed', '1')))
  const runs = zone.tests.flatMap(programsOf)
  const known = new Known(name, runs)
  const [first] = all
  if (first === undefined) throw new Error(`no module of ${name} has ${part} in its path`)
  const unchanged = { url: pathToFileURL(first.file).href, source: first.source }
  const tests = await timed(runs, unchanged)
  console.log(`${name}: ${faults.length} of ${all.length} faults, ${runs.length} programs of tests`)
  const waiting = [...faults]
  const survivors: Fault[] = []
  const work = async () => {
    for (let fault = waiting.pop(); fault !== undefined; fault = waiting.pop()) {
      const { file, source, mutant } = fault
      const url = pathToFileURL(file).href
      const before = known.get(fault)
      const by =
        before === undefined
          ? await noticedBy(tests, { url, source: applied(source, mutant) })
          : before
      known.set(fault, by)
      if (by !== null) continue
      survivors.push(fault)
      console.log(`  survived: ${relative(built, file)}:${mutant.line}: ${mutant.change}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  const noticed = faults.length - survivors.length
  const share = ((noticed * 100) / faults.length).toFixed(1)
  console.log(`${name}: ${noticed} of ${faults.length} noticed, ${share} %`)
}

await main()
