// `npm run torture:cluster -- --rounds 100`: real nodes on three real databases, with clients that
// trade, and then writers that do nothing but lead and append, while leaders and databases are
// killed, paused, cut off and cancelled: so many rounds of each kind, in a drawn order. Fails when
// anything acknowledged is lost, stands twice or is undone, when somebody answers after the end of
// its lease, or when nodes come to different states. `--only killLeader,killPrimary` deals only
// these; `--on nodes` or `--on writers` runs only those; `--seed N` draws others; `--lease-ms N` is
// for machines that stand still for longer than a second. `--commands N
// --failovers N` runs a long history through nodes instead, and compares their states.

import { Random } from './support/differential/random.ts'
import { blows, runChainRounds } from './support/postgres/chain-rounds.ts'
import { numberOf, textOf } from './support/torture/flags.ts'
import { runLongHistory } from './support/torture/nodes/long-history.ts'
import { nodeBlows } from './support/torture/nodes/node-blows.ts'
import { runNodeRounds } from './support/torture/nodes/node-rounds.ts'

const say = (text: string) => console.log(text)
const seed = numberOf('--seed', (Date.now() % 1_000_000) + 1)
const count = numberOf('--rounds', 100)
const only = textOf('--only')?.split(',') ?? null
const on = textOf('--on')
const lease = { leaseMs: numberOf('--lease-ms', 1_000), pauseMs: numberOf('--pause-ms', 10_000) }

function drawn<Name extends string>(known: Readonly<Record<Name, unknown>>): readonly Name[] {
  const names = (Object.keys(known) as Name[]).filter((name) => only?.includes(name) !== false)
  const random = new Random(seed)
  const all = names.flatMap((name) => Array<Name>(count).fill(name))
  return all
    .map((name) => ({ name, at: random.next() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ name }) => name)
}

function tell(who: string, recoveries: Readonly<Record<string, readonly number[]>>): void {
  for (const [name, times] of Object.entries(recoveries)) {
    const sorted = times.toSorted((one, other) => one - other)
    const part = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]
    const told = `p50 ${part(0.5)} ms, p99 ${part(0.99)} ms, max ${sorted.at(-1)} ms`
    say(`${who} ${name}: ${sorted.length} rounds, acknowledged again after ${told}`)
  }
}

async function tortureNodes(): Promise<readonly string[]> {
  const rounds = on === 'writers' ? [] : drawn(nodeBlows)
  if (rounds.length === 0) return []
  const many = { nodes: 3, followers: 2, orderTraders: 4 } as const
  const report = await runNodeRounds({ rounds, seed, say, ...lease, hurries: false, ...many })
  tell('nodes', report.recoveries)
  say(`${report.known} requests with a known outcome, ${report.doubted} found out afterwards`)
  say(`all nodes have the state ${report.hash} after seq ${report.seq}`)
  return report.wrong
}

async function tortureWriters(): Promise<void> {
  const rounds = on === 'nodes' ? [] : drawn(blows)
  if (rounds.length === 0) return
  const report = await runChainRounds({ rounds, seed, say })
  tell('writers', report.recoveries)
  say(`leaderships of writers ended: ${JSON.stringify(report.endings)}`)
  say(`${report.acknowledged} acknowledged to writers, ${report.frames} frames in the chain`)
}

async function torture(): Promise<readonly string[]> {
  const commands = textOf('--commands')
  if (commands !== null) {
    const wanted = { commands: numberOf('--commands', 1), failovers: numberOf('--failovers', 20) }
    return runLongHistory({ ...wanted, say, leaseMs: 3 * lease.leaseMs })
  }
  const wrong = await tortureNodes()
  await tortureWriters()
  return wrong
}

const known = [...Object.keys(nodeBlows), ...Object.keys(blows)]
for (const name of only ?? [])
  if (!known.includes(name)) throw new Error(`--only: ${[...new Set(known)].join(', ')}`)
if (on !== null && on !== 'nodes' && on !== 'writers') throw new Error('--on: nodes or writers')
say(`seed ${seed}`)
const wrong = await torture()
for (const what of wrong) console.error(`wrong: ${what}`)
say(wrong.length === 0 ? 'nothing lost, nothing doubled, nothing undone' : 'BREACHED')
process.exit(wrong.length === 0 ? 0 : 1)
