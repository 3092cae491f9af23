import { kindAt, kindOfEvent, nextAfter } from '../../src/core/events/event-columns.ts'
import { checkInvariants } from '../../src/core/invariants.ts'
import { benchOptions, collectGarbage, timed, whole } from '../options.ts'
import { type AmplifierRow, amplifiers, measureAmplifier } from './amplifiers.ts'
import { Storm, type StormPlan } from './storm.ts'

const { json, requireBars, say } = benchOptions({
  name: 'bench/liveness',
  about:
    'How many commands it takes until each account that one price made unhealthy has had its ' +
    'turn and its takeover, with everything else that the price triggers, and how long the ' +
    'longest of them is. And how long the single command takes that small requests make large.',
})

const commandMsMax = 50
const passes = 3
const commandsMax = 5_000

type Named = StormPlan & Readonly<{ name: string }>

const usual = { fund: 2_000_000, leftPpm: 5_000, speedBumpMs: 200 }
const storms: readonly Named[] = [
  { name: '10,000 scopes and 50,000 stops', scopes: 10_000, stops: 50_000, ...usual },
  { name: '50,000 stops', scopes: 0, stops: 50_000, ...usual },
  { name: '50,000 stops without a bump', scopes: 0, stops: 50_000, ...usual, speedBumpMs: 0 },
  { name: '100 bankrupt, no fund', scopes: 100, stops: 0, fund: 0, leftPpm: -500, speedBumpMs: 0 },
]

type Row = Readonly<{
  storm: Named
  /** Commands until no scope is waiting, including the fall. */
  commands: number
  /** Until nothing waits at all. */
  all: number
  /** As in the fastest pass. */
  longestMs: number
  counts: Readonly<Record<string, number>>
  breaches: readonly string[]
}>

const counted = ['LiquidationStarted', 'BackstopTookOver', 'Deleveraged', 'StopTriggered'] as const

function pass(plan: Named): Row {
  const storm = new Storm(plan)
  const { run } = storm
  const counts = new Map(counted.map((type) => [kindOfEvent(type), 0]))
  const { liquidationQueue, takeoverQueue, deleverageQueue, releases } = run.state
  collectGarbage()
  let longestMs = 0
  let commands = 0
  let all = 0
  const left = () => liquidationQueue.size + takeoverQueue.size + deleverageQueue.size
  for (; all === 0 || run.state.waiting.count > 0 || releases.entries.length > 0; all++) {
    if (all > commandsMax) throw new Error(`${plan.name}: does not end`)
    run.atMs += 1
    const command = all === 0 ? storm.fall() : ({ type: 'Tick' } as const)
    longestMs = Math.max(longestMs, timed(() => run.submit(command)).ms)
    const { rows, end } = run.log
    for (let at = 0; at < end; at = nextAfter(rows, at)) {
      const known = counts.get(kindAt(rows, at))
      if (known !== undefined) counts.set(kindAt(rows, at), known + 1)
    }
    if (left() > 0) commands = all + 2
  }
  const named = counted.map((type) => [type, counts.get(kindOfEvent(type))!])
  const breaches = checkInvariants(run.state)
  const found = { storm: plan, commands: Math.max(1, commands), all, longestMs, breaches }
  return { ...found, counts: Object.fromEntries(named) }
}

function measure(plan: Named): Row {
  const rows = Array.from({ length: passes }, () => pass(plan))
  return { ...rows[0]!, longestMs: Math.min(...rows.map(({ longestMs }) => longestMs)) }
}

/** CORE-5. */
function commandsAllowed({ scopes, fund }: Named): number {
  return Math.ceil(scopes / 64) + 2 + (fund > 0 ? 0 : Math.ceil(scopes / 2))
}

function missedBars({ storm, commands, longestMs, counts, breaches }: Row): string[] {
  const missed = breaches.slice(0, 3).map((breach) => `${storm.name}: invariant ${breach}`)
  if (commands > commandsAllowed(storm))
    missed.push(`${storm.name}: ${commands} commands, allowed ${commandsAllowed(storm)}`)
  if (longestMs >= commandMsMax)
    missed.push(`${storm.name}: a command of ${longestMs.toFixed(1)} ms`)
  if (counts.LiquidationStarted! < storm.scopes || counts.StopTriggered! < storm.stops)
    missed.push(`${storm.name}: an account had no turn`)
  return missed
}

function missedByAmplifier({ name, longestMs, breaches }: AmplifierRow): string[] {
  const missed = breaches.slice(0, 3).map((breach) => `${name}: invariant ${breach}`)
  if (longestMs >= commandMsMax) missed.push(`${name}: a command of ${longestMs.toFixed(1)} ms`)
  return missed
}

function main(): void {
  pass({ name: 'warm-up', scopes: 1_000, stops: 5_000, ...usual })
  const rows = storms.map((plan) => {
    const row = measure(plan)
    say(
      `${plan.name.padEnd(32)} ${whole(row.commands)} of ${whole(commandsAllowed(plan))} commands` +
        `, ${whole(row.all)} until all was done; longest ${row.longestMs.toFixed(1)} ms; ` +
        counted.map((type) => `${type} ${whole(row.counts[type]!)}`).join(', '),
    )
    return row
  })
  const amplified = amplifiers.map((one) => {
    const row = measureAmplifier(one, passes)
    say(
      `${row.name.padEnd(36)} longest ${row.longestMs.toFixed(1)} ms; ${whole(row.events)} events` +
        ` of one command, ${whole(row.eventsInAll)} in all`,
    )
    return row
  })
  if (json) console.log(JSON.stringify({ storms: rows, amplifiers: amplified }))
  requireBars([...rows.flatMap(missedBars), ...amplified.flatMap(missedByAmplifier)])
}

main()
