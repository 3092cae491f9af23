// `npm run torture:readers`: a node that leads and nodes that read, on real databases. `--only
// bytes`: what they say of the same entry is the same to the byte, `--samples N` replies and
// frames, while people trade at both. `--seed N` draws others.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Databases } from './support/postgres/databases.ts'
import { compareNodes } from './support/readers/same-bytes.ts'
import { ExchangeNode } from './support/running/exchange-node.ts'

function textOf(flag: string): string | null {
  const at = process.argv.indexOf(flag)
  return at < 0 ? null : (process.argv[at + 1] ?? '')
}

function numberOf(flag: string, otherwise: number): number {
  const value = Number.parseInt(textOf(flag) ?? String(otherwise), 10)
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new Error(`${flag}: not a number above 0`)
}

const say = (text: string) => console.log(text)
const seed = numberOf('--seed', (Date.now() % 1_000_000) + 1)

async function compareBytes(): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), 'openperp-readers-'))
  const databases = await Databases.start()
  const [leader, reader] = [new ExchangeNode('leads', root), new ExchangeNode('reads', root)]
  const flags = ['--cluster-key', 'k'.repeat(40), '--link-port', '0']
  try {
    leader.start(databases.url(), undefined, flags)
    const { port: leaderPort } = await leader.process.ready
    reader.start(databases.url(), undefined, [...flags, '--role', 'read'])
    const { port: readerPort } = await reader.process.ready
    const ports = { leader: leaderPort, reader: readerPort }
    const samples = numberOf('--samples', 10_000)
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

say(`seed ${seed}`)
const wrong = await compareBytes()
for (const what of wrong) console.error(`wrong: ${what}`)
say(wrong.length === 0 ? 'the same to the byte' : 'BREACHED')
process.exit(wrong.length === 0 ? 0 : 1)
