import { checkInvariants } from '../src/core/invariants.ts'
import { type Crash, CrashRun, type Outcome } from './crash-run.ts'
import { benchOptions, whole } from './options.ts'

const { json, requireBars, say } = benchOptions({
  name: 'bench/liquidations',
  about:
    'One price makes 10,000 leveraged accounts unhealthy while orders of others keep coming. ' +
    'How long does the longest command take, how long until no account is unhealthy, and does ' +
    'that grow with the accounts affected or with all accounts?',
})

const commandMsMax = 50
const totalMsMax = 2_000

const usual = { fund: 50_000_000, fallPpm: 25_000, leftPpm: 9_300 }
const warmUp: Crash = { name: 'warm-up', affected: 1_000, total: 2_000, ...usual }
const crashes: readonly Crash[] = [
  { name: '10,000 of 20,000', affected: 10_000, total: 20_000, ...usual },
  { name: '10,000 of 200,000', affected: 10_000, total: 200_000, ...usual },
  { name: '1,000 of 200,000', affected: 1_000, total: 200_000, ...usual },
]
/** All end below zero and the fund is empty. Each queries every account on the other side (LIQ-6),
 *  so this one does grow with all, and no bar is set for it. */
const bankrupt: Crash = {
  name: '30 bankrupt of 20,000',
  affected: 30,
  total: 20_000,
  fund: 0,
  fallPpm: 40_000,
  leftPpm: -500,
}

type Row = Readonly<{ crash: Crash; outcome: Outcome; breaches: readonly string[] }>

function measure(crash: Crash): Row {
  const run = new CrashRun(crash)
  const outcome = run.measure()
  if (outcome.counts.LiquidationStarted! < crash.affected)
    throw new Error(`${crash.name}: only ${outcome.counts.LiquidationStarted} were liquidated`)
  return { crash, outcome, breaches: checkInvariants(run.run.state) }
}

const columns: Readonly<Record<string, (row: Row) => string>> = {
  affected: ({ crash }) => crash.name,
  commands: ({ outcome }) => whole(outcome.commands),
  'total ms': ({ outcome }) => outcome.totalMs.toFixed(0),
  'µs each': ({ crash, outcome }) => ((outcome.totalMs * 1_000) / crash.affected).toFixed(1),
  'jump ms': ({ outcome }) => outcome.jumpMs.toFixed(1),
  'longest ms': ({ outcome }) => outcome.longestMs.toFixed(1),
  steps: ({ outcome }) => whole(outcome.counts.LiquidationStepped!),
  takeovers: ({ outcome }) => whole(outcome.counts.BackstopTookOver!),
  deleveraged: ({ outcome }) => whole(outcome.counts.Deleveraged!),
}

function lineOf(cells: readonly string[]): string {
  const [name, ...figures] = cells
  return name!.padEnd(22) + figures.map((figure) => figure.padStart(12)).join('')
}

function missedBars({ crash, outcome, breaches }: Row): string[] {
  const missed = breaches.slice(0, 3).map((breach) => `${crash.name}: invariant ${breach}`)
  if (crash === bankrupt) return missed
  if (outcome.longestMs >= commandMsMax)
    missed.push(`${crash.name}: ${outcome.longest} not below ${commandMsMax} ms`)
  if (outcome.totalMs >= totalMsMax) missed.push(`${crash.name}: not done in ${totalMsMax} ms`)
  return missed
}

function main(): void {
  new CrashRun(warmUp).measure()
  say(lineOf(Object.keys(columns)))
  const rows = [...crashes, bankrupt].map((crash) => {
    const row = measure(crash)
    say(lineOf(Object.values(columns).map((cell) => cell(row))))
    return row
  })
  const holds = rows.every(({ breaches }) => breaches.length === 0)
  say(`\ninvariants after each: ${holds ? 'all hold' : 'BROKEN'}`)
  for (const { crash, outcome } of rows) {
    const worst = `${outcome.worstMs.toFixed(1)} ms in the slowest pass`
    const calm = `calm ${outcome.calmUs.toFixed(1)} µs`
    say(`${crash.name}: longest is ${outcome.longest}; ${worst}; ${calm}`)
  }
  const found = rows.map(({ crash, outcome, breaches }) => ({ ...crash, ...outcome, breaches }))
  if (json) console.log(JSON.stringify({ crashes: found }))
  requireBars(rows.flatMap(missedBars))
}

main()
