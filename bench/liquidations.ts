// `npm run bench:liquidations`: 10,000 leveraged accounts become unhealthy by one price while
// orders of others keep flowing. How long does the longest command take, how long until nobody is
// unhealthy, and does that grow with the accounts affected or with all? `--json` prints one object,
// `--check` fails when a bar is missed.

import { checkInvariants } from '../src/core/invariants.ts'
import { type Crash, CrashRun, type Outcome } from './crash-run.ts'
import { asJson, judge, say, whole } from './options.ts'

const commandMsMax = 50
const totalMsMax = 2_000

const usual = { fund: 50_000_000, fallPpm: 25_000 }
const warmUp: Crash = { name: 'warm-up', affected: 1_000, total: 2_000, ...usual }
const crashes: readonly Crash[] = [
  { name: '10,000 of 20,000', affected: 10_000, total: 20_000, ...usual },
  { name: '10,000 of 200,000', affected: 10_000, total: 200_000, ...usual },
  { name: '1,000 of 200,000', affected: 1_000, total: 200_000, ...usual },
  ...(process.env.ADL
    ? [
        { name: 'adl 100 of 20,000', affected: 100, total: 20_000, fund: 0, fallPpm: 40_000 },
        { name: 'adl 100 of 200,000', affected: 100, total: 200_000, fund: 0, fallPpm: 40_000 },
      ]
    : []),
]

type Row = Readonly<{ crash: Crash; outcome: Outcome; breaches: readonly string[] }>

function measure(crash: Crash): Row {
  const run = new CrashRun(crash)
  const outcome = run.measure()
  if (outcome.counts.LiquidationStarted! < crash.affected)
    throw new Error(`${crash.name}: only ${outcome.counts.LiquidationStarted} were liquidated`)
  return { crash, outcome, breaches: checkInvariants(run.run.state) }
}

function tableOf(rows: readonly Row[]): string {
  const head = ['affected', 'commands', 'total ms', 'µs each', 'jump ms', 'longest ms', 'calm µs']
  const lines = rows.map(({ crash, outcome }) => [
    crash.name,
    whole(outcome.commands),
    outcome.totalMs.toFixed(0),
    ((outcome.totalMs * 1_000) / crash.affected).toFixed(1),
    outcome.jumpMs.toFixed(1),
    outcome.longestMs.toFixed(1),
    outcome.calmUs.toFixed(2),
  ])
  return [head, ...lines]
    .map(([name, ...cells]) => name!.padEnd(19) + cells.map((cell) => cell.padStart(11)).join(''))
    .join('\n')
}

function missedBars({ crash, outcome, breaches }: Row): string[] {
  const missed: string[] = []
  if (outcome.longestMs >= commandMsMax)
    missed.push(`${crash.name}: ${outcome.longest} not below ${commandMsMax} ms`)
  if (outcome.totalMs >= totalMsMax) missed.push(`${crash.name}: not done in ${totalMsMax} ms`)
  for (const breach of breaches.slice(0, 3)) missed.push(`${crash.name}: invariant ${breach}`)
  return missed
}

function main(): void {
  new CrashRun(warmUp).measure()
  const rows = crashes.map(measure)
  if (asJson)
    console.log(JSON.stringify(rows.map(({ crash, outcome }) => ({ ...crash, ...outcome }))))
  say(tableOf(rows))
  for (const { crash, outcome } of rows) {
    const counts = Object.entries(outcome.counts).map(([type, count]) => `${type} ${whole(count)}`)
    say(
      `${crash.name}: ${counts.join(', ')}; longest: ${outcome.longest} (worst seen ${outcome.worstMs.toFixed(1)})`,
    )
  }
  judge(rows.flatMap(missedBars))
}

main()
