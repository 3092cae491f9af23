// Forks of a running sandbox. Each is a process with a copy of the data folder. It ends with this
// one, however that ends: its standard input is a pipe from here.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import type { Config } from '../../config.ts'
import { apiError } from '../../gateway/api-error.ts'
import type { Fork, Forks } from '../../gateway/forks.ts'
import { makeFixtureFolder, removeFolder, removeOrphans } from '../fixture/fixture-folder.ts'

const forksMax = 4
/** Of each fork in MB. All of them together may have as much as the original. */
const heapMb = Math.floor(getHeapStatistics().heap_size_limit / forksMax / 2 ** 20)
const outputMax = 65_536

const programs = {
  fork: fileURLToPath(new URL('../openperp.js', import.meta.url)),
  start: fileURLToPath(new URL('../../main.js', import.meta.url)),
}

type Running = Readonly<{ child: ChildProcess; output: () => string; errors: () => string }>

/** `folder` has all its files. */
type Slot = { running: Running | null; readonly folder: string }

type Parts = Readonly<{
  config: Config
  seq: () => number
  /** Whether this exchange is a fork itself. */
  isFork: boolean
}>

export class ForkProcesses implements Forks {
  private readonly slots = new Map<string, Slot>()
  private readonly parts: Parts
  private made = 0
  private place: string | null = null
  private closed = false

  constructor(parts: Parts) {
    this.parts = parts
  }

  async begin(at: string | null): Promise<Fork> {
    this.requireFree()
    const id = `fork-${++this.made}`
    const slot: Slot = { running: null, folder: join(this.ownPlace(), id) }
    this.slots.set(id, slot)
    try {
      const copied = await this.copied(slot, at ?? `${this.parts.seq()}`)
      const { url, ws, compat_url, pid } = await this.started(slot)
      slot.running!.child.once('close', () => this.end(id))
      return { id, url, ws, compat_url, pid, ...copied }
    } catch (error) {
      if (!(await this.end(id))) throw apiError('NOT_READY', `${id} was ended while it started`)
      throw error
    }
  }

  async end(id: string): Promise<boolean> {
    const slot = this.slots.get(id)
    if (slot === undefined) return false
    this.slots.delete(id)
    await ended(slot)
    removeFolder(slot.folder)
    return true
  }

  async close(): Promise<void> {
    this.closed = true
    await Promise.all([...this.slots.keys()].map((id) => this.end(id)))
  }

  private requireFree(): void {
    const { config, isFork } = this.parts
    if (this.closed) throw apiError('NOT_READY', 'the exchange is stopping')
    // Forks of forks would have no bound.
    if (isFork && config.fixture)
      throw apiError(
        'MALFORMED_REQUEST',
        'a fork that runs as a fixture is not forked again: fork the original, with at, or copy ' +
          'a data folder with openperp fork',
      )
    if (this.slots.size < forksMax) return
    const ids = [...this.slots.keys()].join(', ')
    throw apiError(
      'MALFORMED_REQUEST',
      `${forksMax} forks are running (${ids}), the maximum; POST /sandbox/fork/end ends one`,
    )
  }

  /** A folder that the next fixture removes if this process is killed. */
  private ownPlace(): string {
    if (this.place !== null) return this.place
    removeOrphans()
    process.once('exit', () => {
      for (const { running } of this.slots.values()) running?.child.kill('SIGKILL')
    })
    this.place = makeFixtureFolder()
    return this.place
  }

  /** Replays in another process, so that this one keeps answering. */
  private async copied(slot: Slot, at: string): Promise<Pick<Fork, 'seq' | 'engine_now'>> {
    const flags = ['fork', this.parts.config.data, '-o', dataOf(slot), '--at', at, '--json']
    const running = this.run(slot, [programs.fork, ...flags])
    const [code] = await once(running.child, 'close')
    const reply = parsed<Copied>(running)
    if (code === 0 && reply !== null) return { seq: reply.seq, engine_now: Date.parse(reply.at) }
    const { kind, message } = reply?.error ?? {}
    if (kind === 'refused' || kind === 'misused') throw apiError('MALFORMED_REQUEST', message!)
    throw failure('the data folder could not be copied', running, message)
  }

  private async started(slot: Slot): Promise<Omit<Fork, 'id' | 'seq' | 'engine_now'>> {
    const { reads, untimedTexts, requireVenue, credits, rateLimit, sandboxToken } =
      this.parts.config
    const settings = join(slot.folder, 'settings.json')
    const same = { reads, untimedTexts, requireVenue, credits, rateLimit }
    const guarded = sandboxToken === '' ? same : { ...same, sandboxToken }
    await writeFile(settings, JSON.stringify(guarded), { mode: 0o600 })
    const flags = [
      '--fixture',
      '--config',
      settings,
      '--data',
      dataOf(slot),
      '--log-level',
      'error',
    ]
    const running = this.run(slot, [programs.start, ...flags])
    const { child } = running
    await new Promise<void>((done) => {
      child.stdout!.on('data', () => running.output().includes('\n') && done())
      child.once('close', () => done())
    })
    const line = parsed<Omit<Fork, 'id' | 'seq' | 'engine_now'>>(running)
    if (line === null) throw failure('the fork did not start', running)
    return line
  }

  private run(slot: Slot, args: readonly string[]): Running {
    if (!this.isHere(slot)) throw new Error('ended')
    const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, ...args], {
      cwd: this.ownPlace(),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // It may end before it reads its input, and may not even start.
    child.stdin.on('error', () => undefined)
    child.once('error', () => undefined)
    slot.running = { child, output: textOf(child.stdout), errors: textOf(child.stderr) }
    return slot.running
  }

  private isHere(slot: Slot): boolean {
    return [...this.slots.values()].includes(slot)
  }
}

type Copied = Readonly<{
  seq: number
  at: string
  error?: Readonly<{ kind: string; message: string }>
}>

const dataOf = ({ folder }: Slot) => join(folder, 'data')

/** Nothing of its folder is kept, so that it has nothing to complete. */
async function ended({ running }: Slot): Promise<void> {
  const child = running?.child
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

/** What a stream says, up to a bound; the rest is read and dropped. */
function textOf(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (more: string) => {
    if (text.length < outputMax) text += more
  })
  return () => text
}

function parsed<T>({ output }: Running): T | null {
  try {
    return JSON.parse(output()) as T
  } catch {
    return null
  }
}

/** `why` is what the process replied, which otherwise said so as its last line. */
function failure(what: string, { errors }: Running, why?: string): Error {
  const said = why ?? errors().trim().split('\n').at(-1)!.slice(0, 400)
  const isFull = errors().includes('heap out of memory')
  const reason = isFull ? `it needs more than ${heapMb} MB, the maximum of a fork` : said
  return apiError('NOT_READY', `${what}: ${reason}`)
}
