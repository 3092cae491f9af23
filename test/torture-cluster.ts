import { Random } from './programs/differential/random.ts'
import { runLongHistory } from './programs/torture/nodes/long-history.ts'
import { nodeBlows } from './programs/torture/nodes/node-blows.ts'
import { runNodeRounds } from './programs/torture/nodes/node-rounds.ts'
import { blows, runChainRounds } from './support/postgres/chain-rounds.ts'
import { choice, choices, drawnSeed, number } from './support/program/options.ts'
import { programOptions } from './support/program/program.ts'

const say = (text: string) => console.log(text)
const kinds = [...new Set([...Object.keys(nodeBlows), ...Object.keys(blows)])]
const {
  rounds: count,
  only,
  on,
  commands,
  failovers,
  seed,
  leaseMs,
  pauseMs,
  busy: busyLoops,
  calm,
} = programOptions({
  name: 'torture/cluster',
  about:
    'Real nodes on three real databases with clients that trade, and then writers that only ' +
    'lead and append, while leaders and databases are killed, paused, cut off and cancelled, in ' +
    'random order. Exits with code 1 if anything acknowledged is lost, doubled or undone, if a ' +
    'node answers after the end of its lease, if nodes come to different states, or, with ' +
    '--busy, if the first leader takes more than 30 s or the lead changes more than once while ' +
    'nothing happens.',
  options: {
    rounds: number(100, 'rounds of each kind'),
    only: choices(kinds, 'only these kinds'),
    on: choice(['nodes', 'writers'], 'only one of the two'),
    commands: number(null, 'run a history of N commands through nodes instead'),
    failovers: number(20, 'failovers of that history'),
    leaseMs: number(3_000, 'lease, in milliseconds'),
    pauseMs: number(10_000, 'how long a paused node is paused, in milliseconds'),
    busy: number(0, 'processes that keep the machine busy', { min: 0 }),
    calm: number(0, 'minutes of trading before the first fault', { min: 0 }),
    seed: drawnSeed(),
  },
})

function drawn<Name extends string>(known: Readonly<Record<Name, unknown>>): readonly Name[] {
  const names = (Object.keys(known) as Name[]).filter((name) => only?.includes(name) !== false)
  const random = new Random(seed)
  const all = names.flatMap((name) => Array<Name>(count).fill(name))
  return all
    .map((name) => ({ name, at: random.next() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ name }) => name)
}

type Times = Readonly<Record<string, readonly number[]>>

function sayTimes(who: string, what: string, byName: Times): void {
  for (const [name, times] of Object.entries(byName)) {
    const sorted = times.toSorted((one, other) => one - other)
    const part = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]
    const summary = `p50 ${part(0.5)} ms, p99 ${part(0.99)} ms, max ${sorted.at(-1)} ms`
    say(`${who} ${name}: ${sorted.length} rounds, ${what} after ${summary}`)
  }
}

async function tortureNodes(): Promise<readonly string[]> {
  const rounds = on === 'writers' ? [] : drawn(nodeBlows)
  if (rounds.length === 0) return []
  const many = { nodes: 3, followers: 2, orderTraders: 4 } as const
  const report = await runNodeRounds({
    rounds,
    seed,
    say,
    leaseMs,
    pauseMs,
    hurries: false,
    busyLoops,
    calmMs: calm * 60_000,
    ...many,
  })
  sayTimes('nodes', 'acknowledged again', report.recoveries)
  sayTimes('nodes', 'another node led', report.led)
  say(`${report.known} requests with a known outcome, ${report.doubted} found out afterwards`)
  say(`all nodes have the state ${report.hash} after seq ${report.seq}`)
  return report.wrong
}

async function tortureWriters(): Promise<void> {
  const rounds = on === 'nodes' ? [] : drawn(blows)
  if (rounds.length === 0) return
  const report = await runChainRounds({ rounds, seed, say })
  sayTimes('writers', 'acknowledged again', report.recoveries)
  say(`leaderships of writers ended: ${JSON.stringify(report.endings)}`)
  say(`${report.acknowledged} acknowledged to writers, ${report.frames} frames in the chain`)
}

async function torture(): Promise<readonly string[]> {
  if (commands !== null) return runLongHistory({ commands, failovers, say, leaseMs: 3 * leaseMs })
  const wrong = await tortureNodes()
  await tortureWriters()
  return wrong
}

say(`seed ${seed}`)
const wrong = await torture()
for (const what of wrong) console.error(`wrong: ${what}`)
say(wrong.length === 0 ? 'nothing lost, nothing doubled, nothing undone' : 'BREACHED')
process.exit(wrong.length === 0 ? 0 : 1)
