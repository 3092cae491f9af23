// A built checkout, this one or another, driven by the benches that compare two of them: only the
// interface that both have is used.

import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Command } from '../../src/core/commands/commands.ts'
import type { ExchangeData } from '../../src/sequencer/exchange-data.ts'
import type { stateHash } from '../../src/sequencer/snapshots/state-hash.ts'

export const ownFolder = fileURLToPath(new URL('../../..', import.meta.url))

/** Engine time, set by the bench. */
export type Clock = { atMs: number }

export type Build = Readonly<{
  open(folder: string, clock: Clock): Promise<ExchangeData>
  stateHash: typeof stateHash
}>

export async function loadBuild(checkout: string): Promise<Build> {
  const load = (module: string) =>
    import(pathToFileURL(join(resolve(checkout), 'dist/src/sequencer', module)).href)
  const { openExchangeData } = await load('exchange-data.js')
  // Its path while the core hashed by itself.
  const older = () => load('../core/snapshot/hash.js')
  const { stateHash: hashOf } = await load('snapshots/state-hash.js').catch(older)
  const open = (folder: string, clock: Clock): Promise<ExchangeData> =>
    openExchangeData({
      folder,
      genesis: {
        pricesMayStand: true,
        feesAddress: 'fees',
        insuranceAddress: 'insurance',
        deficitAddress: 'deficit',
        feeTiers: [{ volumeDollars: 0, makerPpm: 150, takerPpm: 400 }],
      },
      clock: { now: () => clock.atMs },
      // The first millisecond is longer than the time that stamps are held after a start.
      clocks: { wall: () => clock.atMs, steady: () => clock.atMs * 1_000_000 },
      sources: { save: () => '', restore: () => undefined },
      keep: 'venue',
      snapshotEntries: Number.MAX_SAFE_INTEGER,
      onFatal: (error: unknown) => {
        throw error
      },
      onWarning: (text: string) => console.error(text),
    })
  return { open, stateHash: hashOf }
}

/** Submits in batches, each acknowledged before the next; returns their number. */
export async function submitAll(
  { sequencer }: ExchangeData,
  commands: Iterable<Command>,
  batch: number,
): Promise<number> {
  let count = 0
  let last: Promise<unknown> = Promise.resolve()
  for (const command of commands) {
    last = sequencer.submit(command)
    count += 1
    if (count % batch === 0) await last
  }
  await last
  return count
}
