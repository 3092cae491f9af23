import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from './programs/differential/random.ts'
import { faults, pairs, runNetworkRounds } from './programs/readers/network/network-rounds.ts'
import { compareNodes } from './programs/readers/same-bytes.ts'
import { Databases } from './support/postgres/databases.ts'
import { choice, drawnSeed, number } from './support/program/options.ts'
import { programOptions } from './support/program/program.ts'
import { ExchangeNode } from './support/running/exchange-node.ts'
import { asReader, tradesFor } from './support/running/link-flags.ts'

const say = (text: string) => console.log(text)
const { samples, rounds, only, seed } = programOptions({
  name: 'torture/readers',
  about:
    'Trading nodes and a read node on real databases. Leader and reader must answer the same to ' +
    'the byte for the same entry. Then a network that delays, cuts and resets between any two ' +
    'parts: nothing acknowledged is lost, and every read is the state at its entry.',
  options: {
    samples: number(10_000, 'replies and frames that are compared'),
    rounds: number(100, 'faults of the network'),
    only: choice(['bytes', 'network'], 'only one of the two'),
    seed: drawnSeed(),
  },
})

async function compareBytes(): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), 'openperp-readers-'))
  const databases = await Databases.start()
  const [leader, reader] = [new ExchangeNode('leads', root), new ExchangeNode('reads', root)]
  try {
    leader.start(databases.url(), undefined, tradesFor('reads'))
    const { port: leaderPort } = await leader.process.ready
    reader.start(databases.url(), undefined, asReader)
    const { port: readerPort } = await reader.process.ready
    const ports = { leader: leaderPort, reader: readerPort }
    const { replies, frames, unpaired, untimely, newer, wrong } = await compareNodes({
      ...{ ...ports, samples, seed, say },
    })
    for (const [what, counts] of [
      ['replies', replies],
      ['frames', frames],
    ] as const)
      say(
        `${what}: ${Object.entries(counts)
          .map((each) => each.join(' '))
          .join(', ')}`,
      )
    say(`${unpaired} replies never met, ${untimely} frames of timers were of one node only`)
    say(`${newer} replies differed and history had gone on: they may have newer rows`)
    return wrong
  } finally {
    for (const node of [leader, reader]) node.process?.kill('SIGKILL')
    await databases.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** A fault is either within the lease, or beyond it. */
const lease = { leaseMs: 1_000, strikeMsMax: 2_000 }

async function strikeNetwork(): Promise<readonly string[]> {
  const random = new Random(seed)
  const kinds = pairs.flatMap((pair) => faults.map((fault) => ({ pair, fault })))
  const dealt = Array.from({ length: rounds }, (_, n) => ({
    ...kinds[n % kinds.length]!,
    at: random.next(),
  })).toSorted((one, other) => one.at - other.at)
  const report = await runNetworkRounds({ rounds: dealt, seed, ...lease, say })
  const { known, doubted, reads, checked, seq, wrong, recoveriesMs } = report
  const sorted = recoveriesMs.toSorted((one, other) => one - other)
  const part = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]
  say(`orders where clients read: p50 ${part(0.5)} ms, max ${sorted.at(-1)} ms after a fault`)
  say(`${known} requests with a known outcome, ${doubted} found out afterwards`)
  say(`${reads.replies} reads, ${reads.bounded} of them not older than an entry that was named`)
  say(`${reads.sentAway} got a 503, ${reads.lost} connections were lost`)
  say(`${checked} different ones are what the journal of ${seq} entries says`)
  return wrong
}

say(`seed ${seed}`)
const wrong = [
  ...(only === 'network' ? [] : await compareBytes()),
  ...(only === 'bytes' ? [] : await strikeNetwork()),
]
for (const what of wrong) console.error(`wrong: ${what}`)
say(wrong.length === 0 ? 'nothing lost, nothing older, every read as it was' : 'BREACHED')
process.exit(wrong.length === 0 ? 0 : 1)
