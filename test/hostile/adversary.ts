// `npm run adversary -- --worlds 500 [--commands 40000] [--seed N] [--rings TEXT]`: worlds full of
// traders, and rings of colluding accounts that search for profit. Judged after each world: what a
// ring takes out beyond property 1, money by a ledger that is rebuilt from events, and what must
// never be (docs/rules/adversary.md). Ends with exit code 1 when a ring pays or a fault is found.
//
//   --worlds N      worlds, one after the other, each with rings that learnt from those before (20)
//   --commands N    of each world (40000)
//   --seed N        of the first world (1); the same seed is the same run
//   --rings TEXT    one world only, with these scripts, as a run prints them
//   --sources KIND  the sources of all markets are of this kind
//   --calm          calm worlds only, in which each ring has a market of its own
//   --known         the known attacks by themselves, each in every world, and what they came to
//   --raids         the raids by hand, each beside its bar; with --check exit code 1 above one
//   --only NAME,…   of the known attacks
//   --against DIR   on the rules of another built checkout
//   --keep-going    all worlds, even when rings pay; nothing is shortened
//   --attempts N    tries to shorten what a paying ring did (300)
//   --json          one object at the end

import { PAYS_FROM } from '../support/adversary/judge.ts'
import { knownInCalm } from '../support/adversary/known/calm.ts'
import { known } from '../support/adversary/known/known.ts'
import { type SourceKind, sourceKinds } from '../support/adversary/outside/sources.ts'
import { isHeld, playRaids, playStall } from '../support/adversary/raids/all.ts'
import { type Found, type Run, repeatOf, runWorlds } from '../support/adversary/run-worlds.ts'
import { scriptOf } from '../support/adversary/script.ts'
import { shortened } from '../support/adversary/shorten.ts'
import { nextCalm, playWorld, type Step } from '../support/adversary/world.ts'
import { type Edition, editionAt } from '../support/venue/edition.ts'
import { VENUE_START } from '../support/venue/venue.ts'

const flags = process.argv.slice(2)

function flag(name: string): string | null {
  const at = flags.indexOf(`--${name}`)
  return at < 0 ? null : (flags[at + 1] ?? null)
}

function numberFlag(name: string, otherwise: number): number {
  const text = flag(name)
  const value = text === null ? otherwise : Number.parseInt(text, 10)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} needs a number`)
  return value
}

function sourcesFlag(): SourceKind | null {
  const text = flag('sources')
  const kind = sourceKinds.find((one) => one === text) ?? null
  if (text !== null && kind === null)
    throw new Error(`--sources ${text}: one of ${sourceKinds.join(', ')}`)
  return kind
}

const dollars = (micro: number) => Math.round(micro / 1_000_000).toLocaleString('en-US')

function tellFound(found: Found): void {
  const { seed, result } = found
  const gained = dollars(result.withdrawable - result.brought)
  console.log(`world ${seed}: ring ${result.ring} takes ${dollars(result.profit)} too much`)
  console.log(`  gained ${gained}; from others ${dollars(result.fromOthers)}, by the price`)
  const { moves, excused, stale } = result
  console.log(`  ${dollars(moves)}, by gaps ${dollars(excused)}, of stale sales ${dollars(stale)}:`)
  console.log(`  ${repeatOf(found)}`)
}

function tellShort(edition: Edition, found: Found): void {
  const journal: Step[] = []
  const { seed, commands, scripts, sources } = found
  playWorld({ edition, seed, commands, scripts, sources, journal })
  const { ring } = found.result
  const short = shortened(edition, journal, { ring, attempts: numberFlag('attempts', 300) })
  console.log(
    `in ${short.length} commands, after ${journal.filter((s) => s.fixed).length} that open`,
  )
  for (const { atMs, plain } of short.slice(0, 80))
    console.log(`  ${atMs - VENUE_START} ${JSON.stringify(plain)}`)
}

function tellRun(run: Run, seconds: number): void {
  const { worlds, commands, found, faults, paid, explained, marked, lastMark } = run
  if (flags.includes('--json')) {
    const rings = found.map((one) => ({ seed: one.seed, ...one.result, repeat: repeatOf(one) }))
    const { found: _, ...rest } = run
    console.log(JSON.stringify({ ...rest, rings, seconds }))
    return
  }
  for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`)
  const rate = Math.round(commands / seconds).toLocaleString('en-US')
  const count = commands.toLocaleString('en-US')
  console.log(`${worlds} worlds, ${count} commands, ${rate} a second: ${found.length} rings pay`)
  console.log(`carried by others ${dollars(paid)}, by gaps ${dollars(explained)} of it`)
  for (const [why, amount] of Object.entries(run.unexplained))
    console.log(`  not by gaps: ${dollars(amount)} (${why})`)
  for (const [age, most] of Object.entries(run.latency))
    if (most > 0)
      console.log(`by a price under way for up to ${age} ms, the most of a ring: ${dollars(most)}`)
  console.log(`by marks that were off, the most that a ring gained: ${dollars(marked)}`)
  console.log(`at a last mark, the most that one takeover moved: ${dollars(lastMark)}`)
}

/** Each attack alone, in the same worlds. */
function tellKnown(edition: Edition, worlds: number, commands: number): void {
  console.log('| Attack | Worlds in which it paid | Most that it took beyond what is allowed |')
  const isCalm = flags.includes('--calm')
  const only = flag('only')?.split(',') ?? null
  for (const [name, script] of Object.entries(isCalm ? knownInCalm : known)) {
    if (only !== null && !only.includes(name)) continue
    const profits = Array.from({ length: worlds }, (_, at) => {
      const first = numberFlag('seed', 1)
      const seed = isCalm ? nextCalm(first, at) : first + at
      return playWorld({ edition, seed, commands, scripts: [script], sources: sourcesFlag() })
        .rings[0]!.profit
    })
    const paying = profits.filter((profit) => profit >= PAYS_FROM)
    console.log(`| ${name} | ${paying.length} | ${dollars(Math.max(0, ...paying))} |`)
  }
}

/** The raids by hand: each in all its tries, beside its bar. */
function tellRaids(edition: Edition): void {
  console.log('| Raid | Way | Tries | Above the bar | Least | Most | Bar |')
  for (const row of [...playRaids(edition), playStall(edition)]) {
    const { raid, way, found, most, unit } = row
    const told = (value: number) => (unit === 'dollars' ? dollars(value) : value.toFixed(1))
    const bar = most === PAYS_FROM ? '0' : `${told(most)} ${unit}`
    const above = found.filter((one) => !isHeld({ ...row, found: [one] })).length
    const ends = `${told(Math.min(...found))} | ${told(Math.max(...found))}`
    console.log(`| ${raid} | ${way} | ${found.length} | ${above} | ${ends} | ${bar} |`)
    if (above > 0 && flags.includes('--check')) process.exitCode = 1
  }
}

const edition = await editionAt(flag('against'))
const rings = flag('rings')
const keepGoing = flags.includes('--keep-going')
if (flags.includes('--known'))
  tellKnown(edition, numberFlag('worlds', 20), numberFlag('commands', 40_000))
else if (flags.includes('--raids')) tellRaids(edition)
else search()

function search(): void {
  const start = performance.now()
  const run = runWorlds({
    edition,
    seed: numberFlag('seed', 1),
    worlds: rings === null ? numberFlag('worlds', 20) : 1,
    commands: numberFlag('commands', 40_000),
    sources: sourcesFlag(),
    calm: rings === null && flags.includes('--calm'),
    scripts: rings === null ? null : rings.split('/').map(scriptOf),
    tell: (found) => {
      if (!flags.includes('--json')) tellFound(found)
      return keepGoing
    },
  })
  tellRun(run, (performance.now() - start) / 1_000)
  const [worst] = run.found
  if (worst !== undefined && !keepGoing && !flags.includes('--json')) tellShort(edition, worst)
  if (run.found.length > 0 || run.faults.length > 0) process.exitCode = 1
}
