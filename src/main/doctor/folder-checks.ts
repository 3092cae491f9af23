// Checks of the data folder: owner, permissions, file system, and whether writes are durable.

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Finding } from '../../cli/doctor.ts'
import { backupsIn, manifestOf } from '../../cli/offline/backups/keep-backups.ts'
import type { Config } from '../../config.ts'
import { requireAlone } from '../../sequencer/cluster/membership.ts'
import { reachableSeq } from '../../sequencer/replica/check-folder.ts'

const gb = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

/** Names of file systems by their magic numbers. */
const fileSystems: ReadonlyMap<number, readonly [string, Finding['verdict']]> = new Map([
  [0xef53, ['ext4', 'good']],
  [0x58465342, ['xfs', 'good']],
  [0x9123683e, ['btrfs', 'good']],
  [0x2fc12fc1, ['zfs', 'good']],
  [0x01021994, ['tmpfs, which is memory', 'bad']],
  [0x858458f6, ['ramfs, which is memory', 'bad']],
  [0x794c7630, ['overlayfs, which goes with its container', 'bad']],
  [0x6969, ['NFS', 'warn']],
  [0xff534d42, ['CIFS', 'warn']],
  [0x65735546, ['FUSE', 'warn']],
])

/** Returns the folder itself if it exists, otherwise its closest existing ancestor. */
function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder))
}

type Start = Pick<Config, 'data' | 'cluster' | 'acceptMissingMark'>

export async function folderFindings(start: Start): Promise<readonly Finding[]> {
  const { data: folder } = start
  const place = nearest(folder)
  const { type, bavail, bsize } = await statfs(place)
  return [
    ownerFinding(folder),
    await historyFinding(start),
    fileSystemFinding(type),
    roomFinding(bavail * bsize),
    await syncFinding(place),
  ]
}

function ownerFinding(folder: string): Finding {
  const what = `data folder ${folder}`
  const must = `of this user (${process.getuid?.() ?? 'any'}), mode 700, with files of mode 600`
  if (!existsSync(folder)) return { what, must, is: 'made by the first start', verdict: 'good' }
  const { mode, uid } = statSync(folder)
  const isOwn = process.getuid === undefined || uid === process.getuid()
  const open = openFiles(folder)
  const is = [
    `of user ${uid}, mode ${(mode & 0o777).toString(8)}`,
    ...(open.length === 0 ? [] : [`others may read ${open.slice(0, 3).join(', ')}`]),
  ].join('; ')
  const isClosed = (mode & 0o077) === 0
  if (!isOwn) return { what, must, is, verdict: 'bad' }
  return { what, must, is, verdict: isClosed ? 'good' : 'bad' }
}

/** Returns files that other users may read. There are none if the folder itself is private. */
function openFiles(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0)
}

/** Uses the same check as `start`, so that both report the same result. */
async function historyFinding({ data, cluster, acceptMissingMark }: Start): Promise<Finding> {
  const what = 'history'
  const must = 'such that a start opens it'
  try {
    if (cluster === '') requireAlone(data)
    const seq = await reachableSeq(data, acceptMissingMark)
    const is = seq === null ? 'none yet' : `whole from the newest snapshot to entry ${seq}`
    return { what, must, is, verdict: 'good' }
  } catch (error) {
    return { what, must, is: (error as Error).message, verdict: 'bad' }
  }
}

export function fileSystemFinding(type: number): Finding {
  const [is, verdict] = fileSystems.get(type) ?? [`type 0x${type.toString(16)}`, 'good']
  const must = 'a disk of this machine, or one whose syncs can be trusted'
  return { what: 'file system', is, must, verdict }
}

export function roomFinding(free: number): Finding {
  const verdict = free < 2.1e8 ? 'bad' : free < 2e9 ? 'warn' : 'good'
  const must = '2 GB or more; below 0.2 GB no order is taken'
  return { what: 'free disk', is: gb(free), must, verdict }
}

const syncs = 20
const syncBytes = 4_096

/** Writes as the journal does: a small chunk, followed by a sync to disk. */
async function syncFinding(folder: string): Promise<Finding> {
  const what = 'a write that is synced'
  const must = 'possible, and 0.1 s or less: every order waits for one'
  const path = join(folder, `.doctor-${process.pid}.tmp`)
  try {
    const file = await open(path, 'wx', 0o600)
    const took: number[] = []
    try {
      for (let n = 0; n < syncs; n++) {
        const begun = performance.now()
        await file.write(Buffer.alloc(syncBytes, n), 0, syncBytes, n * syncBytes)
        await file.datasync()
        took.push(performance.now() - begun)
      }
    } finally {
      await file.close()
      rmSync(path, { force: true })
    }
    const [half, worst] = [took.toSorted((a, b) => a - b)[syncs / 2]!, Math.max(...took)]
    const is = `${half.toFixed(1)} ms half of the time, ${worst.toFixed(1)} ms at most`
    return { what, must, is, verdict: half <= 100 ? 'good' : 'warn' }
  } catch (error) {
    return { what, must, is: (error as Error).message, verdict: 'bad' }
  }
}

const backupAgeMax = 36 * 3_600_000

export function backupFinding(folder: string | undefined, now: number): Finding {
  const what = 'newest backup'
  const must = 'proven, and 36 hours old at most (openperp backups, by a timer)'
  if (folder === undefined) return { what, must, is: '--backups was not given', verdict: 'warn' }
  const [newest] = backupsIn(folder)
  if (newest === undefined) return { what, must, is: `none in ${folder}`, verdict: 'bad' }
  const { madeAt, seq } = manifestOf(join(folder, newest))
  const ageMs = now - Date.parse(madeAt)
  const is = `${newest}, ${Math.round(ageMs / 3_600_000)} hours old, up to entry ${seq}`
  return { what, must, is, verdict: ageMs <= backupAgeMax ? 'good' : 'bad' }
}
