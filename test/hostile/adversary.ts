import { knownInCalm } from '../programs/adversary/known/calm.ts'
import { known } from '../programs/adversary/known/known.ts'
import { sourceKinds } from '../programs/adversary/outside/sources.ts'
import { isHeld, playRaids, playStall } from '../programs/adversary/raids/all.ts'
import { PAYS_FROM } from '../programs/adversary/referee.ts'
import { type Found, type Run, repeatOf, runWorlds } from '../programs/adversary/run-worlds.ts'
import { scriptOf } from '../programs/adversary/script.ts'
import { shortened } from '../programs/adversary/shorten.ts'
import { nextCalm, playWorld, type Step } from '../programs/adversary/world.ts'
import { choice, choices, flag, number, text } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'
import { type Edition, editionAt } from '../support/venue/edition.ts'
import { VENUE_START } from '../support/venue/venue.ts'

const given = programOptions({
  name: 'adversary',
  about:
    'Worlds full of traders, and rings of colluding accounts that search for profit. After each ' +
    'world it checks what a ring gained beyond property 1, money by a ledger that is rebuilt ' +
    'from events, and what must never happen (docs/rules/adversary.md). Exits with code 1 if a ' +
    'ring profits or a fault is found.',
  options: {
    worlds: number(20, 'worlds, each with rings that learnt from those before', { min: 0 }),
    commands: number(40_000, 'commands of a world', { min: 0 }),
    seed: number(1, 'of the first world; the same seed repeats a run', { min: 0 }),
    rings: text(null, 'only one world, with these scripts, as a run prints them'),
    sources: choice(sourceKinds, 'one kind of source for all markets'),
    calm: flag('only calm worlds, in which each ring has its own market'),
    known: flag('the known attacks instead, each alone in every world'),
    raids: flag('the raids by hand instead, each with its bar'),
    check: flag('exit with code 1 if a raid is above its bar'),
    only: choices(
      [...new Set(Object.keys({ ...known, ...knownInCalm }))],
      'only these of the known attacks',
    ),
    against: text(null, 'with the rules of this built checkout', 'FOLDER'),
    keepGoing: flag('all worlds, even if rings profit; nothing is shortened'),
    attempts: number(300, 'tries to shorten what a profiting ring did', { min: 0 }),
    json: flag('print one JSON object at the end'),
  },
})

const dollars = (micro: number) => Math.round(micro / 1_000_000).toLocaleString('en-US')

function printFound(found: Found): void {
  const { seed, result } = found
  const gained = dollars(result.withdrawable - result.brought)
  console.log(`world ${seed}: ring ${result.ring} takes ${dollars(result.profit)} too much`)
  console.log(`  gained ${gained}; from others ${dollars(result.fromOthers)}, by the price`)
  const { moves, excused, stale } = result
  console.log(`  ${dollars(moves)}, by gaps ${dollars(excused)}, of stale sales ${dollars(stale)}:`)
  console.log(`  ${repeatOf(found)}`)
}

function printShort(edition: Edition, found: Found): void {
  const journal: Step[] = []
  const { seed, commands, scripts, sources } = found
  playWorld({ edition, seed, commands, scripts, sources, journal })
  const { ring } = found.result
  const short = shortened(edition, journal, { ring, attempts: given.attempts })
  console.log(
    `in ${short.length} commands, after ${journal.filter((s) => s.fixed).length} that open`,
  )
  for (const { atMs, plain } of short.slice(0, 80))
    console.log(`  ${atMs - VENUE_START} ${JSON.stringify(plain)}`)
}

function printRun(run: Run, seconds: number): void {
  const { worlds, commands, found, faults, paid, explained, marked, lastMark } = run
  if (given.json) {
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
function printKnown(edition: Edition, worlds: number, commands: number): void {
  console.log('| Attack | Worlds in which it paid | Most that it took beyond what is allowed |')
  const isCalm = given.calm
  const { only } = given
  for (const [name, script] of Object.entries(isCalm ? knownInCalm : known)) {
    if (only !== null && !only.includes(name)) continue
    const profits = Array.from({ length: worlds }, (_, at) => {
      const first = given.seed
      const seed = isCalm ? nextCalm(first, at) : first + at
      return playWorld({ edition, seed, commands, scripts: [script], sources: given.sources })
        .rings[0]!.profit
    })
    const paying = profits.filter((profit) => profit >= PAYS_FROM)
    console.log(`| ${name} | ${paying.length} | ${dollars(Math.max(0, ...paying))} |`)
  }
}

/** The raids by hand: each in all its tries, next to its bar. */
function printRaids(edition: Edition): void {
  console.log('| Raid | Way | Tries | Above the bar | Least | Most | Bar |')
  for (const row of [...playRaids(edition), playStall(edition)]) {
    const { raid, way, found, most, unit } = row
    const shown = (value: number) => (unit === 'dollars' ? dollars(value) : value.toFixed(1))
    const bar = most === PAYS_FROM ? '0' : `${shown(most)} ${unit}`
    const above = found.filter((one) => !isHeld({ ...row, found: [one] })).length
    const ends = `${shown(Math.min(...found))} | ${shown(Math.max(...found))}`
    console.log(`| ${raid} | ${way} | ${found.length} | ${above} | ${ends} | ${bar} |`)
    if (above > 0 && given.check) process.exitCode = 1
  }
}

const edition = await editionAt(given.against)
const { rings, keepGoing } = given
if (given.known) printKnown(edition, given.worlds, given.commands)
else if (given.raids) printRaids(edition)
else search()

function search(): void {
  const start = performance.now()
  const run = runWorlds({
    edition,
    seed: given.seed,
    worlds: rings === null ? given.worlds : 1,
    commands: given.commands,
    sources: given.sources,
    calm: rings === null && given.calm,
    scripts: rings === null ? null : rings.split('/').map(scriptOf),
    report: (found) => {
      if (!given.json) printFound(found)
      return keepGoing
    },
  })
  printRun(run, (performance.now() - start) / 1_000)
  const [worst] = run.found
  if (worst !== undefined && !keepGoing && !given.json) printShort(edition, worst)
  if (run.found.length > 0 || run.faults.length > 0) process.exitCode = 1
}
