// Makes a verified copy of a data folder. The copy is recovered as at a start, and its hash is
// returned. The exchange may be running. If it has removed files during the copy, the recovery
// fails and the copy is repeated.

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { backUp } from '../../sequencer/back-up.ts'
import { readDataFolder } from '../../sequencer/data-folder.ts'
import { recover } from '../../sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../sequencer/snapshots/saved-state-files.ts'
import { stateHash, tradingHash } from '../../sequencer/snapshots/state-hash.ts'
import { CliError } from '../frame/exit-codes.ts'
import { makeFolder } from '../frame/make-folder.ts'

export type Copied = Readonly<{ seq: number; stateHash: string; tradingHash: string }>

const attemptsMax = 3

/** Copies a folder. `target` must not exist, or must be an empty folder. */
export async function copyFolder(source: string, target: string): Promise<Copied> {
  requireFree(target)
  // Reports damage of the source before anything is written.
  readDataFolder(source)
  makeFolder(dirname(target))
  for (let attempt = 1; ; attempt++) {
    rmSync(target, { recursive: true, force: true })
    try {
      await backUp(source, target)
      return await proved(target)
    } catch (error) {
      rmSync(target, { recursive: true, force: true })
      if (attempt === attemptsMax) throw error
    }
  }
}

export function requireFree(target: string): void {
  if (!existsSync(target)) return
  if (readdirSync(target).length === 0) return
  throw new CliError('refused', `${target} exists and is not empty; nothing was copied`, {
    hint: 'name a folder that does not exist yet, or move this one away first',
  })
}

/** Recovers the folder as at a start. */
export async function proved(folder: string): Promise<Copied> {
  const opened = readDataFolder(folder)
  const saved = new SavedStateFiles(opened.saved)
  const { replica } = await recover(opened, { saved, requireMark: true })
  const { seq, state } = replica
  return { seq, stateHash: stateHash(state), tradingHash: tradingHash(state) }
}
