// One process a data folder. The lock is a file with the holder's process id and what tells this
// process from another that gets the same id later. A process that is killed leaves its file
// behind, and the next one takes it over. Taking over moves the file away first and looks at what
// was moved, so that of several that find a dead lock only one can have it.

import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { JournalFault } from './journal-fault.ts'

type Holder = Readonly<{ pid: number; host: string; started: string; nonce: string }>

/** A lock of another host (another container, say) cannot be asked; it shows that it lives by
 *  touching its file, and is dead when it has not for this long. */
const foreignTimeoutMs = 20_000
const touchMs = 5_000
const heldHere = new Set<string>()

export class FolderLock {
  private readonly file: string
  private readonly text: string
  private readonly touching: NodeJS.Timeout

  private constructor(file: string, text: string) {
    this.file = file
    this.text = text
    heldHere.add(file)
    this.touching = setInterval(() => this.touch(), touchMs).unref()
  }

  static async acquire(folder: string): Promise<FolderLock> {
    await mkdir(folder, { recursive: true })
    const file = join(resolve(folder), 'lock')
    const text = JSON.stringify(ownHolder())
    for (let attempt = 0; attempt < 5; attempt++) {
      if (createFile(file, text)) return new FolderLock(file, text)
      const found = await heldBy(file)
      if (found.holder !== null) throw refusal(folder, found.holder)
      if (found.text !== null) moveAway(file, found.text)
    }
    throw new JournalFault('FOLDER_LOCKED', `data folder ${folder}: others keep taking its lock`)
  }

  /** Harmless when the file is no longer ours. */
  release(): void {
    clearInterval(this.touching)
    heldHere.delete(this.file)
    if (textOf(this.file) === this.text) rmSync(this.file, { force: true })
  }

  private touch(): void {
    try {
      const now = new Date()
      utimesSync(this.file, now, now)
    } catch {
      // Whoever removed the file meant it; the journal itself is not affected.
    }
  }
}

function ownHolder(): Holder {
  const { pid } = process
  return { pid, host: hostname(), started: startOf(pid) ?? '', nonce: randomUUID() }
}

/** What only this process with this id has: the boot and the tick it was started at. */
function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may hold anything; counted from behind it, field 20 is the start.
    return `${boot} ${line.slice(line.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    // Not Linux, or no such process: the id alone has to do.
    return null
  }
}

function createFile(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
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
    // Gone meanwhile.
    return null
  }
}

type Found = Readonly<{ holder: Holder | null; text: string | null }>

/** Who lives and holds it; a null holder with a text is dead. */
async function heldBy(file: string): Promise<Found> {
  let text = textOf(file)
  // Between its creation and its first byte the file is empty; that is no state to judge.
  for (let wait = 0; text === '' && wait < 20; wait++) {
    await new Promise((done) => setTimeout(done, 10))
    text = textOf(file)
  }
  const holder = text === null ? null : parseHolder(text)
  if (holder === null || text === null) return { holder: null, text }
  return { holder: (await isAlive(file, holder)) ? holder : null, text }
}

function parseHolder(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Holder
    return Number.isSafeInteger(holder.pid) && holder.pid > 0 ? holder : null
  } catch {
    // Cut off by a crash while it was written: nobody holds it.
    return null
  }
}

async function isAlive(file: string, { pid, host, started }: Holder): Promise<boolean> {
  if (host !== hostname()) {
    const touched = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    return Date.now() - touched < foreignTimeoutMs
  }
  // The same id does not make it us: in a container every start may get it.
  if (pid === process.pid) return heldHere.has(file)
  const start = startOf(pid)
  if (start !== null && started !== '') return start === started
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function moveAway(file: string, expected: string): void {
  const aside = `${file}.${randomUUID()}`
  try {
    renameSync(file, aside)
  } catch {
    // Another was faster; the next attempt meets his lock.
    return
  }
  const moved = textOf(aside)
  // Another was faster and this is his living lock: put it back, if there still is room.
  if (moved !== null && moved !== expected) createFile(file, moved)
  rmSync(aside, { force: true })
}

function refusal(folder: string, { pid, host }: Holder): JournalFault {
  const where = host === hostname() ? '' : ` on host ${host}`
  return new JournalFault(
    'FOLDER_LOCKED',
    `data folder ${folder} is in use by process ${pid}${where}. ` +
      'Stop that process first, or choose another folder.',
  )
}
