// `openperp backup` and `openperp restore`: copy a folder, and verify the copy.

import { resolve } from 'node:path'
import { command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { pairsOf } from '../frame/screen.ts'
import { dataFolderOf, dataOption, newFolderOf, onData } from './data-option.ts'

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

export const restore = command({
  name: 'restore',
  group: 'data',
  summary: 'Create a data folder from a backup, and verify it',
  about:
    'The data folder must not exist or be empty: nothing is ever written over. Move a ' +
    'damaged one away first. The next start goes on from there, with the hash that is ' +
    'printed.',
  arguments: [{ name: 'backup', about: 'folder written by `backup`', required: true }],
  options: { ...dataOption },
  examples: ['mv data data-damaged', 'openperp restore ./backup-1', 'openperp start'],
  async run({ values, words: [source], environment }) {
    const from = dataFolderOf(source, {})
    const folder = newFolderOf(values.data, environment)
    if (folder === from) throw misused('the backup is the data folder itself')
    return copy(from, folder, 'restored to')
  },
})

async function copy(from: string, to: string, what: string) {
  const { copyFolder } = await import('./copied-folder.ts')
  const { seq, stateHash, tradingHash } = await onData(() => copyFolder(from, to))
  return {
    json: { from, to, seq, stateHash, tradingHash },
    lines: pairsOf([
      [what, to],
      ['up to', `entry ${seq}`],
      ['state hash', stateHash],
      ['trading hash', tradingHash],
    ]),
  }
}
