// A scheduled backup. It is copied, verified in two ways that must agree, made durable, and only
// then renamed to its final name. Older backups may be removed after that. A failure leaves
// existing backups unchanged.

import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { rename, statfs } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { syncFolder, syncTree, writeAtomically } from '../../../journal/atomic-file.ts'
import { FolderLock } from '../../../journal/lock/folder-lock.ts'
import { filesToCopy } from '../../../sequencer/back-up.ts'
import { CliError, misused } from '../../frame/exit-codes.ts'
import { auditFolder } from '../audit-folder.ts'
import { type Copied, copyFolder } from '../copied-folder.ts'
import { backupName, type Kept, newestFirst, outdated } from './retention.ts'

/** Metadata stored in a backup. */
export type Manifest = Copied &
  Readonly<{ madeAt: string; bytes: number; entries: number; seconds: number }>

export const manifestFile = 'backup.json'
const unfinishedName = '.unfinished'
const goingName = '.going'
/** Free space in bytes that must remain after the copy. */
const spareBytes = 256 * 1_024 * 1_024
const invariantsEvery = 1_000_000

export type KeepOptions = Readonly<{
  data: string
  backups: string
  kept: Kept
  now: () => number
  onProgress: (text: string) => void
}>

export type KeptBackup = Readonly<{ folder: string; manifest: Manifest; removed: string[] }>

export async function keepBackup(options: KeepOptions): Promise<KeptBackup> {
  const { data, backups, kept, now } = options
  requireApart(data, backups)
  const lock = await FolderLock.acquire(backups)
  try {
    for (const name of [unfinishedName, goingName]) removeTree(join(backups, name))
    const bytes = bytesOf(data, filesToCopy(data))
    await requireRoom(backups, bytes)
    const unfinished = join(backups, unfinishedName)
    const manifest = await proved(options, unfinished, bytes)
    const folder = join(backups, backupName(now(), manifest.seq))
    await rename(unfinished, folder)
    await syncFolder(backups)
    const removed = await removeOutdated(backups, kept)
    return { folder, manifest, removed }
  } finally {
    removeTree(join(backups, unfinishedName))
    lock.release()
  }
}

/** Recovers the copy from its snapshot, and replays it from its first entry. Both must give the
 *  same hash. */
async function proved(options: KeepOptions, target: string, bytes: number): Promise<Manifest> {
  const { data, now, onProgress } = options
  const started = performance.now()
  onProgress('copying')
  const copied = await copyFolder(data, target)
  const report = await auditFolder(target, {
    everyEntries: invariantsEvery,
    onProgress: ({ part }) => onProgress(`proving  ${Math.floor(part * 100)} %`),
  })
  const [finding] = report.findings
  if (finding !== undefined)
    throw new CliError('damaged', `the copy is not whole: ${finding.what} (${finding.file})`, {
      hint: `it was not kept; openperp audit --data ${data} says whether the exchange's folder is`,
    })
  if (report.stateHash !== copied.stateHash)
    throw new CliError(
      'damaged',
      `the copy was not kept: recovered it has the hash ${copied.stateHash}, played again ` +
        `${report.stateHash}`,
    )
  const seconds = Math.round(performance.now() - started) / 1_000
  const madeAt = new Date(now()).toISOString()
  const manifest: Manifest = { ...copied, madeAt, bytes, entries: report.entries, seconds }
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  await writeAtomically(join(target, manifestFile), [text])
  await syncTree(target)
  return manifest
}

function requireApart(data: string, backups: string): void {
  const path = relative(resolve(data), resolve(backups))
  if (path === '' || !(path.startsWith('..') || path.startsWith('/')))
    throw misused(
      `${backups} is in the data folder ${data}`,
      'choose a folder outside it, preferably on another disk',
    )
}

async function requireRoom(backups: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(backups)
  const free = bavail * bsize
  if (free >= bytes + spareBytes) return
  throw new CliError(
    'refused',
    `a backup takes ${bytes} bytes, and ${backups} has ${free} free; ${spareBytes} must be left`,
    { hint: 'keep fewer (--daily, --weekly), or give it a larger disk; nothing was deleted' },
  )
}

function bytesOf(folder: string, names: readonly string[]): number {
  // Files that the exchange removes during the copy are not copied.
  const sizeOf = (name: string) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0
  return names.reduce((sum, name) => sum + sizeOf(name), 0)
}

/** Removes old backups. Each is renamed first, so that a partially removed one does not look like a
 *  backup. */
async function removeOutdated(backups: string, kept: Kept): Promise<string[]> {
  const gone = outdated(backupsIn(backups), kept)
  for (const name of gone) {
    const going = join(backups, goingName)
    await rename(join(backups, name), going)
    await syncFolder(backups)
    removeTree(going)
  }
  return [...gone]
}

function removeTree(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

/** Backups in this folder, newest first: folders, not links, with our name format and metadata. */
export function backupsIn(backups: string): readonly string[] {
  if (!existsSync(backups)) return []
  return newestFirst(
    readdirSync(backups).filter(
      (name) =>
        lstatSync(join(backups, name)).isDirectory() &&
        existsSync(join(backups, name, manifestFile)),
    ),
  )
}

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, manifestFile), 'utf8')) as Manifest
}
