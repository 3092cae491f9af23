import { number, text } from '../../test/support/program/options.ts'
import { benchOptions, whole } from '../options.ts'
import { ownFolder } from './build.ts'
import { inTurns, median, runAlone, type Turns } from './turns.ts'

const {
  commands,
  against,
  starts: wantedStarts,
  json,
  requireBars,
  say,
} = benchOptions({
  name: 'bench/leader',
  about:
    'The process that orders, writes and decides, without HTTP: signed orders and cancels in ' +
    'batches of 64 into the sequencer and a journal on disk. The result is processor time an ' +
    'order of the whole process, after the program is compiled.',
  options: {
    commands: number(400_000, 'signed orders and cancels'),
    against: text(null, 'a built checkout that takes turns with this one', 'FOLDER'),
    starts: number(null, 'processes', { initially: '3; 5 with --against' }),
  },
})

const ratioMax = 0.45
const usMax = 12
const batch = 64
const starts = wantedStarts ?? (against === null ? 3 : 5)

type Round = Readonly<{ us: number; count: number; per_second: number; same_hash: boolean }>

const missed: string[] = []

function round(checkout: string): number {
  const found = runAlone<Round>('leader-run', checkout, `${commands}`, `${batch}`)
  if (!found.same_hash) missed.push(`${checkout}: the recovered state has another hash`)
  const rate = `${whole(found.per_second)} a second`
  say(`${checkout === ownFolder ? 'this' : 'other'}   ${found.us.toFixed(2)} µs an order, ${rate}`)
  return found.us
}

const shown = (numbers: readonly number[]) => Number(median(numbers).toFixed(3))

function printTurns({ own, other, ratio }: Turns): void {
  say(`median  ${shown(own)} µs an order, ${shown(other)} µs there; ratio ${ratio.toFixed(3)}`)
  const figures = { us: shown(own), other_us: shown(other), ratio: Number(ratio.toFixed(4)) }
  if (json) console.log(JSON.stringify(figures))
  if (ratio > ratioMax) missed.push(`processor time an order above ${ratioMax} of the other build`)
}

if (against === null) {
  const us = Array.from({ length: starts }, () => round(ownFolder))
  say(`median  ${shown(us)} µs an order`)
  if (json) console.log(JSON.stringify({ us: shown(us) }))
  if (median(us) > usMax) missed.push(`processor time an order above ${usMax} µs`)
} else {
  printTurns(
    inTurns(
      starts,
      () => round(ownFolder),
      () => round(against),
    ),
  )
}
requireBars(missed)
