// `openperp backup` and `openperp restore`: copy a folder, or a part of its history, and verify the
// copy.

import { resolve } from 'node:path'
import { command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { pairsOf } from '../frame/screen.ts'
import type { Copied } from './copied-folder.ts'
import { dataFolderOf, dataOption, newFolderOf, onData, pointOf } from './data-option.ts'

export const backup = command({
  name: 'backup',
  group: 'data',
  summary: 'Copy everything that a restore needs into a new folder, and verify the copy',
  about:
    'Copies genesis, the secret of API keys, snapshots, saved states and journal; ' +
    'history.db is rebuilt at the next start. The exchange may be running: everything it ' +
    'acknowledged before the copy began is in the copy. The copy is then recovered as at a ' +
    'start, and its state hash is printed.',
  arguments: [{ name: 'target', about: 'new folder', required: true }],
  options: { ...dataOption },
  examples: [
    'openperp backup ./backup-1',
    'openperp backup /mnt/backup/monday --data /srv/openperp',
  ],
  async run({ values, words: [target], environment }) {
    const folder = dataFolderOf(values.data, environment)
    return copy(folder, resolve(target!), 'backed up to')
  },
})

const restoreOptions = {
  ...dataOption,
  journal: {
    value: '<folder>',
    about: 'data folder, or its journal, with entries after the backup',
  },
  at: {
    value: '<seq|time>',
    about: 'last entry, or the time that no entry may be later than (default: the newest entry)',
  },
} as const

export const restore = command({
  name: 'restore',
  group: 'data',
  summary: 'Create a data folder from a backup, up to a point in time, and verify it',
  about:
    'The data folder must not exist or be empty: nothing is ever written over. Move a ' +
    'damaged one away first. The next startup continues from there, with the hash that is ' +
    'printed. With --at, history ends exactly with that entry, or with the last one before the ' +
    'first that is later than that time. With --journal, entries after the backup are read from ' +
    'there, up to damage if --at is before it. A point that neither covers is refused, with the ' +
    'range that would be accepted. The exchange forgets signed texts that it accepted after the ' +
    'point, so start it only when they have expired.',
  arguments: [{ name: 'backup', about: 'folder written by `backup`', required: true }],
  options: restoreOptions,
  examples: [
    'mv data data-damaged',
    'openperp restore ./backup-1',
    'openperp restore ./backup-1 --journal data-damaged --at 2026-11-17T06:25:00Z',
    'openperp start',
  ],
  async run({ values, words: [source], environment, screen }) {
    const from = dataFolderOf(source, {})
    const folder = newFolderOf(values.data, environment)
    if (folder === from) throw misused('the backup is the data folder itself')
    if (values.at === undefined && values.journal === undefined)
      return copy(from, folder, 'restored to')
    const { restoreAt } = await import('./moves/restore-at.ts')
    const { atMs, ...restored } = await onData(() =>
      restoreAt({
        ...{ backup: from, target: folder, point: pointOf(values.at) },
        journal: values.journal === undefined ? null : dataFolderOf(values.journal, {}),
        onProgress: (seq) => screen.progress(`restore  entry ${seq}`),
      }),
    )
    const at = new Date(atMs).toISOString()
    return {
      json: { from, to: folder, ...restored, at },
      lines: linesOf('restored to', folder, restored, [['at', at]]),
    }
  },
})

async function copy(from: string, to: string, what: string) {
  const { copyFolder } = await import('./copied-folder.ts')
  const { seq, stateHash, tradingHash } = await onData(() => copyFolder(from, to))
  const copied = { seq, stateHash, tradingHash }
  return { json: { from, to, ...copied }, lines: linesOf(what, to, copied) }
}

function linesOf(
  what: string,
  to: string,
  { seq, stateHash, tradingHash }: Copied,
  more: readonly (readonly [string, string])[] = [],
): readonly string[] {
  return pairsOf([
    [what, to],
    ['up to', `entry ${seq}`],
    ...more,
    ['state hash', stateHash],
    ['trading hash', tradingHash],
  ])
}
