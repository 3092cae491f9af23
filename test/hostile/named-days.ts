import {
  type CrashFigures,
  crashFigures,
  crashNames,
  snipers,
} from '../support/named-days/crash.ts'
import type { Figures } from '../support/named-days/day.ts'
import { namedDays } from '../support/named-days/days.ts'
import { fallsPercent, type StopFigures, stopFigures } from '../support/named-days/stops.ts'
import { flag, number, numbers, text } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'
import { type Edition, editionAt } from '../support/venue/edition.ts'

type Columns<F> = Readonly<Record<string, (figures: F) => string>>

const given = programOptions({
  name: 'named-days',
  about: 'The named days with their figures (docs/rules/scenarios.md).',
  options: {
    against: text(null, 'also with the rules of this built checkout', 'FOLDER'),
    crash: flag('the crash of 20 % instead, over its seeds, with each of its snipers'),
    stops: flag('the day of stops instead, for each of its falls'),
    seeds: number(5, 'seeds of the crash'),
    bids: numbers('only one sniper, with bids this far below the mark, in ppm'),
    concession: number(null, 'of the market of the crash, in ppm (default: as listed)', { min: 0 }),
    json: flag('print JSON objects instead of a table'),
  },
})

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

function print<F>(name: string, rules: string, figures: F, cells: Columns<F>): void {
  if (given.json) console.log(JSON.stringify({ name, rules, ...figures }))
  else console.log(row([name, rules, ...Object.values(cells).map((cell) => cell(figures))]))
}

function printDays(editions: Editions): void {
  console.log(row(['Day', 'Edition', ...Object.keys(columns)]))
  for (const { name, play } of namedDays)
    for (const [rules, edition] of editions) print(name, rules, play(edition), columns)
}

function printCrash(editions: Editions): void {
  const { seeds, concession, bids } = given
  const listing = concession === null ? {} : { concessionPpm: concession }
  console.log(row(['Book, sniper', 'Edition', ...Object.keys(crashColumns)]))
  for (const depth of crashNames)
    for (const [sniper, waiting] of Object.entries(bids === null ? snipers : { bids }))
      for (const [rules, edition] of editions) {
        const found = Array.from({ length: seeds }, (_, at) =>
          crashFigures(edition, depth, at + 1, waiting, listing),
        )
        print(`${depth}, ${sniper}`, rules, meanOf(found), crashColumns)
      }
}

function printStops(editions: Editions): void {
  console.log(row(['Fall', 'Edition', ...Object.keys(stopColumns)]))
  for (const fall of fallsPercent)
    for (const [rules, edition] of editions)
      print(`${fall} %`, rules, stopFigures(edition, fall), stopColumns)
}

function meanOf(found: readonly CrashFigures[]): CrashFigures {
  const names = Object.keys(found[0]!) as (keyof CrashFigures)[]
  const mean = (name: keyof CrashFigures) => {
    return found.reduce((sum, figures) => sum + figures[name], 0) / found.length
  }
  return Object.fromEntries(names.map((name) => [name, mean(name)])) as CrashFigures
}

const editions = new Map<string, Edition>()
if (given.against !== null) editions.set('other', await editionAt(given.against))
editions.set('this', await editionAt(null))
if (given.crash) printCrash(editions)
else if (given.stops) printStops(editions)
else printDays(editions)
