// Golden journals: histories that a released version wrote, with the hashes it had reached. Every
// later version must still reach them. `npm run x golden -- <name>` writes new ones for a release;
// those that are there are never written again.

import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from '../../src/core/commands/commands.ts'
import { type ClosedState, checkInvariants } from '../../src/core/index.ts'
import { EntryNotExact } from '../../src/sequencer/codec.ts'
import { openExchangeData } from '../../src/sequencer/exchange-data.ts'
import { eventsOf } from '../../src/sequencer/outcome.ts'
import { stateHash, tradingHash } from '../../src/sequencer/snapshots/state-hash.ts'
import { Generator } from '../programs/differential/generator.ts'
import { forgetfulSources } from '../support/small-exchange/memory-journal.ts'

export type Golden = Readonly<{ seq: number; state: string; trading: string }>

/** Sources and built programs lie in different folders; the journals lie with the sources. */
export const goldenFolder = fileURLToPath(new URL('../../../test/replay', import.meta.url))

/** The history that crosses a change of the rules; it needs the trial ones (trial-rules.ts). */
export const crossingName = 'crossing'

/** Those that need no rules but the program's own. */
export function goldenNames(): readonly string[] {
  return readdirSync(goldenFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== crossingName)
    .map(({ name }) => name)
    .sort()
}

export function readGolden(name: string): Golden {
  return JSON.parse(readFileSync(join(goldenFolder, name, 'golden.json'), 'utf8'))
}

/** What a golden history comes to now, from a copy of it. */
export async function reachedBy(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'golden-'))
  try {
    cpSync(join(goldenFolder, name), folder, { recursive: true })
    const data = await openExchangeData({
      folder,
      genesis: {
        feesAddress: 'fees',
        insuranceAddress: 'insurance',
        deficitAddress: 'deficit',
        feeTiers: [],
        pricesMayStand: true,
      },
      clock: { now: () => 0 },
      sources: forgetfulSources,
      keep: 'venue',
      onFatal: (error) => assert.fail(String(error)),
      onWarning: (text) => assert.fail(text),
    })
    const { state, view } = data.sequencer
    const reached = goldenOf(data.sequencer)
    await data.close({ snapshot: false })
    return { reached, breaches: checkInvariants(state), rulesVersion: view.rulesVersion }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function goldenOf({ seq, state }: Readonly<{ seq: number; state: ClosedState }>): Golden {
  return { seq, state: stateHash(state), trading: tradingHash(state) }
}

export type GoldenOptions = Readonly<{
  seed: number
  commands: number
  /** This one comes in the middle. */
  between?: Command
}>

/** A random history of every kind of command, on disk, with what it comes to. */
export async function writeGolden(
  name: string,
  { seed, commands, between }: GoldenOptions,
): Promise<Golden> {
  const folder = join(goldenFolder, name)
  if (existsSync(folder)) throw new Error(`${name} is there already, and is never written again`)
  mkdirSync(folder)
  const generator = new Generator(seed, commands)
  let now = 0
  const data = await openExchangeData({
    folder,
    genesis: generator.world.genesis,
    clock: { now: () => now },
    clocks: { wall: () => now, steady: () => now },
    sources: forgetfulSources,
    keep: 'venue',
    onFatal: (error) => {
      throw error
    },
    onWarning: (text) => console.error(text),
    journal: { segmentBytes: 1_048_576 },
  })
  for (let n = 0; n < commands; n++) {
    if (between !== undefined && n === commands / 2) await data.sequencer.submit(between)
    const { atMs, command } = generator.next()
    now = atMs
    const outcome = await data.sequencer.submit(command).catch((error: unknown) => {
      // Spoilt on purpose, so that it cannot be written down: the gateway lets no such thing pass.
      if (error instanceof EntryNotExact) return null
      throw error
    })
    generator.learn(outcome === null ? [] : eventsOf(outcome))
  }
  const golden = goldenOf(data.sequencer)
  await data.close({ snapshot: false })
  writeFileSync(join(folder, 'golden.json'), `${JSON.stringify(golden, null, 2)}\n`)
  for (const empty of ['saved', 'snapshots']) rmSync(join(folder, empty), { recursive: true })
  return golden
}
