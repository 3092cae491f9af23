// `openperp backups`: makes another verified backup, and removes old ones.

import { renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { command } from '../../frame/command.ts'
import { misused } from '../../frame/exit-codes.ts'
import { pairsOf } from '../../frame/screen.ts'
import { dataFolderOf, dataOption, onData } from '../data-option.ts'
import type { Manifest } from './keep-backups.ts'
import { backupText } from './textfile.ts'

const defaults = { daily: 7, weekly: 5 } as const

export const backups = command({
  name: 'backups',
  group: 'data',
  summary: 'Add a verified backup to a folder, and delete expired backups',
  about:
    'For a timer. The data folder is copied as `backup` does it; the exchange may be running. ' +
    'The copy is verified twice, from its snapshot and from its first entry, and both results ' +
    'must have the same hash. Only then is it renamed to openperp-<time>-<entry>; its file ' +
    'backup.json describes it. Afterwards the newest backup of each recent day and week is kept; ' +
    'the others are deleted. If anything fails, nothing is deleted and the exit code is not 0. ' +
    'Folders that this command did not make are left alone.',
  arguments: [{ name: 'folder', about: 'folder of the backups', required: true }],
  options: {
    ...dataOption,
    daily: { value: '<days>', about: `daily backups to keep (default: ${defaults.daily})` },
    weekly: { value: '<weeks>', about: `weekly backups to keep (default: ${defaults.weekly})` },
    textfile: { value: '<file.prom>', about: 'metrics file for node_exporter, written on success' },
  },
  examples: [
    'openperp backups /mnt/backup --data /var/lib/openperp',
    'openperp backups /mnt/backup --daily 14 --weekly 8',
  ],
  async run({ values, words: [folder], environment, screen }) {
    const data = dataFolderOf(values.data, environment)
    const kept = {
      daily: countIn('daily', values.daily, defaults.daily),
      weekly: countIn('weekly', values.weekly, defaults.weekly),
    }
    const { keepBackup } = await import('./keep-backups.ts')
    const made = await onData(() =>
      keepBackup({
        ...{ data, kept, now: Date.now },
        backups: resolve(folder!),
        onProgress: (text) => screen.progress(text),
      }),
    )
    const { manifest, removed } = made
    if (values.textfile !== undefined) writeText(resolve(values.textfile), manifest)
    return {
      json: { ...made, kept },
      lines: pairsOf([
        ['backed up to', made.folder],
        ['up to', `entry ${manifest.seq}`],
        ['proved', `${manifest.entries} entries played again, ${manifest.seconds} s`],
        ['state hash', manifest.stateHash],
        ['deleted', removed.length === 0 ? 'none' : removed.join(', ')],
      ]),
    }
  },
})

/** Writes a file atomically, so that a concurrent reader sees the old or the new text. */
function writeText(path: string, manifest: Manifest): void {
  writeFileSync(`${path}.tmp`, backupText(manifest), { mode: 0o644 })
  renameSync(`${path}.tmp`, path)
}

function countIn(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (/^\d{1,4}$/.test(text)) return Number.parseInt(text, 10)
  throw misused(`--${name} ${text} is not a number from 0 to 9999`)
}
