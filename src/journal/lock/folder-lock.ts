// The lock of a data folder for one process. The lock file contains the holder's process id, and
// data that distinguishes this process from a later one with the same id. A killed process leaves
// its file behind, and the next process replaces it. If several processes find the same stale lock,
// only one may replace it; that right is itself a lock, named after the stale lock. A holder
// verifies its lock before each write, because a process that was paused may have been replaced.

import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { JournalFault } from '../journal-fault.ts'
import { fileMode, makeFolder } from '../private-folder.ts'
import { type Life, ownSpace, processLife, startOf } from './process-life.ts'

type Holder = Readonly<{
  pid: number
  host: string
  /** Namespace of the process id, because containers with the same host name have separate
   *  namespaces. */
  space?: string
  started: string
  nonce: string
}>

/** A holder on another host, such as another container, cannot be checked by its id. It touches its
 *  file while it runs, and counts as exited after this time in ms without a touch. */
const foreignTimeoutMs = 20_000
const touchMs = 5_000
/** Wait in ms for a lock of the same host name, because a killed container restarts immediately
 *  under its name. A running holder touches its file more often than this. */
const signOfLifeMs = 2 * touchMs
/** A check is valid for this time in ms. A process that was paused for longer repeats it. */
const proofMs = 1_000
/** Maximum wait in ms for an exiting process, whose last sync may be slow. */
const dyingWaitMs = 30_000
/** Replacing a stale lock takes one attempt, unless a process is paused during it. */
const attemptsMax = 100
const attemptMs = 20
const heldHere = new Set<string>()

export class FolderLock {
  /** Whether the lock belonged to another host or container, whose process may only be paused. Then
   *  files that it has open must not be written to. */
  readonly tookOver: boolean
  /** Called once when another process has taken over the folder. */
  onLost: ((fault: JournalFault) => void) | null = null
  private readonly file: string
  private readonly text: string
  private readonly touching: NodeJS.Timeout
  private proven = clocksNow()
  private lost: JournalFault | null = null

  private constructor(file: string, text: string, tookOver: boolean) {
    this.file = file
    this.text = text
    this.tookOver = tookOver
    this.touching = setInterval(() => this.touch(), touchMs).unref()
  }

  static async acquire(folder: string, host = hostname()): Promise<FolderLock> {
    makeFolder(resolve(folder))
    const file = join(resolve(folder), 'lock')
    const text = JSON.stringify(ownHolder(host))
    const { rival, tookOver } = await take(file, text, host)
    if (rival === null) return new FolderLock(file, text, tookOver)
    throw refusal(folder, rival, host)
  }

  /** Throws if this process no longer holds the folder. Called before a write becomes visible,
   *  because a process that was paused may have been replaced. */
  prove(): void {
    if (this.lost !== null) throw this.lost
    const now = clocksNow()
    if (now.wall - this.proven.wall < proofMs && now.steady - this.proven.steady < proofMs) return
    if (textOf(this.file) !== this.text) throw this.lose()
    this.proven = now
  }

  /** Removes the lock file if this process still holds it. */
  release(): void {
    clearInterval(this.touching)
    heldHere.delete(this.file)
    if (textOf(this.file) === this.text) rmSync(this.file, { force: true })
  }

  private touch(): void {
    try {
      this.prove()
      const now = new Date()
      utimesSync(this.file, now, now)
    } catch (error) {
      if (this.lost === null) this.lose(error)
    }
  }

  private lose(cause?: unknown): JournalFault {
    clearInterval(this.touching)
    this.lost = new JournalFault(
      'FOLDER_LOST',
      `the lock ${this.file} is no longer ours: this process was paused for so long that another ` +
        'took over the data folder, or the file was removed. Nothing more is written.',
      cause,
    )
    this.onLost?.(this.lost)
    return this.lost
  }
}

/** Reads two clocks, because either may miss a pause: the monotonic clock of a suspended virtual
 *  machine stops, and a wall clock can be set back. */
function clocksNow(): Readonly<{ wall: number; steady: number }> {
  return { wall: Date.now(), steady: performance.now() }
}

function ownHolder(host: string): Holder {
  const { pid } = process
  return { pid, host, space: ownSpace(), started: startOf(pid) ?? '', nonce: randomUUID() }
}

/** Whether the holder's process cannot be checked by its id. */
function isElsewhere({ host, space }: Holder, ours: string): boolean {
  return host !== ours || (space !== undefined && space !== ownSpace())
}

type Taken = Readonly<{ rival: Holder | null; tookOver: boolean }>

/** Writes our lock if the file is free or stale; otherwise returns the running holder. */
async function take(file: string, text: string, host: string): Promise<Taken> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    if (createFile(file, text) && textOf(file) === text) {
      heldHere.add(file)
      return { rival: null, tookOver: false }
    }
    const { holder, text: found, lives } = await heldBy(file, host)
    if (holder !== null && lives) return { rival: holder, tookOver: false }
    if (found === null) continue
    if (await replaceStale(file, found, text, host))
      return { rival: null, tookOver: holder !== null && isElsewhere(holder, host) }
    await sleep(attemptMs)
  }
  throw new JournalFault('FOLDER_LOCKED', `${file}: others keep taking this lock`)
}

/** Replaces a stale lock. Requires the right to replace it, and that the file still contains the
 *  stale lock. Otherwise another process was faster, and the next attempt finds its lock. */
async function replaceStale(
  file: string,
  stale: string,
  text: string,
  host: string,
): Promise<boolean> {
  const right = `${file}.${createHash('sha256').update(stale).digest('hex').slice(0, 16)}`
  if ((await take(right, text, host)).rival !== null) return false
  try {
    if (textOf(right) !== text || textOf(file) !== stale) return false
    const ours = `${file}.${randomUUID()}`
    createFile(ours, text)
    renameSync(ours, file)
    heldHere.add(file)
    return true
  } finally {
    heldHere.delete(right)
    if (textOf(right) === text) rmSync(right, { force: true })
  }
}

function createFile(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: fileMode })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The file was removed meanwhile.
    return null
  }
}

type Found = Readonly<{ holder: Holder | null; text: string | null; lives: boolean }>

/** Returns the holder, and whether it is running. Waits for a process that is exiting. */
async function heldBy(file: string, host: string): Promise<Found> {
  const text = await textOnce(file)
  const holder = text === null ? null : parseHolder(text)
  if (holder === null) return { holder: null, text, lives: false }
  const until = performance.now() + dyingWaitMs
  for (;;) {
    const life = await lifeOf(file, holder, host)
    if (life !== 'dying') return { holder, text, lives: life === 'running' }
    if (performance.now() > until) return { holder, text, lives: true }
    await sleep(20)
  }
}

/** Reads the file; waits while it is empty, between its creation and the first write. */
async function textOnce(file: string): Promise<string | null> {
  let text = textOf(file)
  for (let wait = 0; text === '' && wait < 20; wait++) {
    await sleep(10)
    text = textOf(file)
  }
  return text
}

function parseHolder(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Holder
    return Number.isSafeInteger(holder.pid) && holder.pid > 0 ? holder : null
  } catch {
    // A crash truncated the file while it was being written, so there is no holder.
    return null
  }
}

async function lifeOf(file: string, holder: Holder, host: string): Promise<Life> {
  const { pid, started } = holder
  if (holder.host !== host)
    return Date.now() - (await touchedAt(file)) < foreignTimeoutMs ? 'running' : 'exited'
  if (isElsewhere(holder, host)) return lifeShown(file)
  // An equal process id is not sufficient, because in a container every start may have the same id.
  if (pid === process.pid) return heldHere.has(file) ? 'running' : 'exited'
  return processLife(pid, started)
}

async function touchedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}

/** Waits until the holder touches its file, or has not done so for too long. The disk's clock may
 *  be ahead. */
async function lifeShown(file: string): Promise<Life> {
  const before = await touchedAt(file)
  const until = performance.now() + signOfLifeMs
  while (Date.now() - before < signOfLifeMs && performance.now() < until) {
    await sleep(50)
    if ((await touchedAt(file)) !== before) return 'running'
  }
  return 'exited'
}

function refusal(folder: string, holder: Holder, ours: string): JournalFault {
  const { pid, host } = holder
  const container = isElsewhere(holder, ours) ? ' in another container' : ''
  const where = host === ours ? container : ` on host ${host}`
  return new JournalFault(
    'FOLDER_LOCKED',
    `data folder ${folder} is in use by process ${pid}${where}. ` +
      'Stop that process first, or choose another folder.',
  )
}
