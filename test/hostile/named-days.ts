// `npm run named-days [-- --against <folder>] [--crash] [--json]`: the named days with their
// figures (docs/rules/scenarios.md). With `--against` the same days are also played on the rules of
// another built checkout.
//
//   --crash         the crash of 20 % instead, over its seeds, with each of its snipers
//   --stops         the day of stops instead, for each of its falls
//   --seeds N       of the crash (5)
//   --bids N,N      one sniper only, whose bids wait so far below the mark, in ppm
//   --concession N  of the market of the crash, in ppm (as a listing has it)

import {
  type CrashFigures,
  crashFigures,
  crashNames,
  snipers,
} from '../support/named-days/crash.ts'
import type { Figures } from '../support/named-days/day.ts'
import { namedDays } from '../support/named-days/days.ts'
import { fallsPercent, type StopFigures, stopFigures } from '../support/named-days/stops.ts'
import { type Edition, editionAt } from '../support/venue/edition.ts'

type Columns<F> = Readonly<Record<string, (figures: F) => string>>

const flags = process.argv.slice(2)

function flag(name: string): string | null {
  const at = flags.indexOf(`--${name}`)
  return at < 0 ? null : (flags[at + 1] ?? null)
}

const dollars = (micro: number) => (Math.round(micro / 1_000_000) || 0).toLocaleString('en-US')
const share = (part: number, of: number) => (of === 0 ? '-' : `${((100 * part) / of).toFixed(1)} %`)

const columns: Columns<Figures> = {
  Liquidated: ({ liquidated }) => String(liquidated),
  'Kept, of what they brought': ({ kept, brought }) => `${dollars(kept)} (${share(kept, brought)})`,
  'Fund before': ({ fundBefore }) => dollars(fundBefore),
  'Fund after': ({ fundAfter }) => dollars(fundAfter),
  Backstops: ({ backstopBefore, backstopAfter }) => dollars(backstopAfter - backstopBefore),
  Deficit: ({ deficit }) => dollars(deficit),
  'Deleveragings, value': ({ deleveragings, deleveragedValue }) =>
    `${deleveragings}, ${dollars(deleveragedValue)}`,
}

const stopColumns: Columns<StopFigures> = {
  Sold: ({ sold, fired }) => share(sold, fired),
  'Within, s': ({ seconds }) => seconds.toFixed(0),
  'Mean price, from the stop': ({ fromStop }) => `${(100 * fromStop).toFixed(1)} %`,
  'Still long': ({ left }) => String(left),
}

const crashColumns: Columns<CrashFigures> = {
  Liquidated: ({ liquidated }) => liquidated.toFixed(0),
  Kept: ({ kept, brought }) => share(kept, brought),
  'Loss of fund and backstop': ({ loss }) => dollars(loss),
  'Closed by steps': ({ stepValue }) => dollars(stepValue),
  'Taken over': ({ takenValue }) => dollars(takenValue),
  'Sniper gained': ({ sniper }) => dollars(sniper),
  Deleveragings: ({ deleveragings }) => deleveragings.toFixed(0),
}

type Editions = ReadonlyMap<string, Edition>

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function tell<F>(name: string, rules: string, figures: F, cells: Columns<F>): void {
  if (flags.includes('--json')) console.log(JSON.stringify({ name, rules, ...figures }))
  else console.log(row([name, rules, ...Object.values(cells).map((cell) => cell(figures))]))
}

function tellDays(editions: Editions): void {
  console.log(row(['Day', 'Edition', ...Object.keys(columns)]))
  for (const { name, play } of namedDays)
    for (const [rules, edition] of editions) tell(name, rules, play(edition), columns)
}

function tellCrash(editions: Editions): void {
  const seeds = Number(flag('seeds') ?? 5)
  const concession = flag('concession')
  const listing = concession === null ? {} : { concessionPpm: Number(concession) }
  const bids = flag('bids')?.split(',').map(Number)
  console.log(row(['Book, sniper', 'Edition', ...Object.keys(crashColumns)]))
  for (const depth of crashNames)
    for (const [sniper, waiting] of Object.entries(bids === undefined ? snipers : { bids }))
      for (const [rules, edition] of editions) {
        const found = Array.from({ length: seeds }, (_, at) =>
          crashFigures(edition, depth, at + 1, waiting, listing),
        )
        tell(`${depth}, ${sniper}`, rules, meanOf(found), crashColumns)
      }
}

function tellStops(editions: Editions): void {
  console.log(row(['Fall', 'Edition', ...Object.keys(stopColumns)]))
  for (const fall of fallsPercent)
    for (const [rules, edition] of editions)
      tell(`${fall} %`, rules, stopFigures(edition, fall), stopColumns)
}

function meanOf(found: readonly CrashFigures[]): CrashFigures {
  const names = Object.keys(found[0]!) as (keyof CrashFigures)[]
  const mean = (name: keyof CrashFigures) => {
    return found.reduce((sum, figures) => sum + figures[name], 0) / found.length
  }
  return Object.fromEntries(names.map((name) => [name, mean(name)])) as CrashFigures
}

const against = flag('against')
const editions = new Map<string, Edition>()
if (against !== null) editions.set('other', await editionAt(against))
editions.set('this', await editionAt(null))
if (flags.includes('--crash')) tellCrash(editions)
else if (flags.includes('--stops')) tellStops(editions)
else tellDays(editions)
