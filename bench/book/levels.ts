import { number } from '../../test/support/program/options.ts'
import { benchOptions, collectGarbage } from '../options.ts'
import { LevelsRun } from './levels-run.ts'

const { rounds, json, requireBars, say } = benchOptions({
  name: 'bench/levels',
  about:
    'Does the cost of a command grow with the price levels of other accounts? Books of 1,000, ' +
    '10,000 and 100,000 levels a side get the same commands in turns; the fastest tenth of the ' +
    'turns counts. A command may take twice as long in the largest book as in the smallest. The ' +
    'last three kinds look at as many orders as they may, and those lie further apart in memory ' +
    'in a larger book: there it is five times.',
  options: {
    rounds: number(300, 'turns of each kind and book', { min: 10 }),
  },
})

const sizes = [1_000, 10_000, 100_000]
const factorMax = 2
const walkFactorMax = 5
const walks: ReadonlySet<string> = new Set(['thin', 'poor', 'preview'])
const kinds = ['far', 'near', 'middle', 'join', 'sweep', 'read', 'thin', 'poor', 'preview'] as const
type Kind = (typeof kinds)[number]

const names: Readonly<Record<Kind, string>> = {
  far: 'place and cancel at the far end',
  near: 'place and cancel a new best',
  middle: 'place and cancel in the middle',
  join: 'join a level and cancel',
  sweep: 'take ten levels, make them again',
  read: 'read the best ten',
  thin: 'FOK larger than the book',
  poor: 'IOC that cannot be paid',
  preview: 'preview of that IOC',
}

/** Commands a turn: long enough for a clock that counts in microseconds. */
const turn = 100

function turnUs(run: LevelsRun, kind: Kind): number {
  const start = performance.now()
  for (let n = 0; n < turn; n++) run[kind]()
  return ((performance.now() - start) * 1_000) / turn
}

/** Microseconds of a command by size, in the fastest tenth of the turns. */
function measure(runs: readonly LevelsRun[], kind: Kind): number[] {
  const found = runs.map((): number[] => [])
  for (let round = 0; round < rounds; round++)
    runs.forEach((_, at) => {
      // The order changes from turn to turn.
      const which = (at + round) % runs.length
      found[which]!.push(turnUs(runs[which]!, kind))
    })
  return found.map((turns) => turns.sort((one, other) => one - other)[Math.floor(rounds / 10)]!)
}

function lineOf(name: string, cells: readonly string[]): string {
  return name.padEnd(34) + cells.map((cell) => cell.padStart(12)).join('')
}

function main(): void {
  const runs = sizes.map((levels) => new LevelsRun(levels))
  for (const kind of kinds) for (const run of runs) for (let n = 0; n < 20; n++) turnUs(run, kind)
  collectGarbage()
  say(lineOf('µs by levels a side', [...sizes.map((n) => n.toLocaleString('en-US')), '×']))
  const rows = kinds.map((kind) => {
    const us = measure(runs, kind)
    const factor = us.at(-1)! / us[0]!
    say(
      lineOf(
        names[kind],
        [...us, factor].map((figure) => figure.toFixed(2)),
      ),
    )
    return { kind, us, factor }
  })
  if (json) console.log(JSON.stringify({ sizes, rows }))
  requireBars(
    rows
      .filter(({ kind, factor }) => factor > (walks.has(kind) ? walkFactorMax : factorMax))
      .map(({ kind, factor }) => `${names[kind]}: ${factor.toFixed(2)} times as long`),
  )
}

main()
