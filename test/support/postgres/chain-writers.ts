// Nodes that write to one chain, and the check of their acknowledgements: nothing acknowledged is
// lost, nothing is there twice, and no writer is acknowledged once the next one leads.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Frame } from '../../../src/journal/frame.ts'
import { textsOf } from './chain.ts'
import type { WriterLine } from './chain-writer.ts'

const program = fileURLToPath(new URL('chain-writer.js', import.meta.url))
const alive = new Set<ChildProcess>()
// A test that fails must not leave writers behind.
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

const byTime = (one: WriterLine, other: WriterLine) => (BigInt(one.at) < BigInt(other.at) ? -1 : 1)

type ReceivedLine = WriterLine & Readonly<{ life: number }>

export class ChainWriters {
  readonly lines: ReceivedLine[] = []
  private readonly leaseMs: number
  private readonly urls = new Map<string, string>()
  private readonly children = new Map<string, ChildProcess>()
  private lives = 0
  private leading: string | null = null

  constructor(leaseMs: number) {
    this.leaseMs = leaseMs
  }

  /** A name that was there before keeps its address. */
  start(name: string, url: string = this.urls.get(name)!): void {
    this.urls.set(name, url)
    const life = ++this.lives
    const child = spawn(process.execPath, [program, url, name, String(this.leaseMs)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    alive.add(child)
    child.once('exit', () => alive.delete(child))
    this.children.set(name, child)
    createInterface({ input: child.stdout! }).on('line', (text) => {
      const line: WriterLine = JSON.parse(text)
      this.lines.push({ ...line, life })
      if (line.what === 'lead') this.leading = name
    })
  }

  /** The last writer that reported to lead. */
  get leader(): string | null {
    return this.leading
  }

  get acknowledged(): number {
    return this.lines.filter(({ what }) => what === 'acknowledged').length
  }

  /** Why leaderships ended, and how often. */
  get endings(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const line of this.lines)
      if (line.what === 'over') counts[line.code] = (counts[line.code] ?? 0) + 1
    return counts
  }

  /** Milliseconds from this moment to the first acknowledgement of a leadership that began after
   *  it; null: there was none. */
  backAfter(moment: bigint): number | null {
    const later = this.lines.filter(({ at }) => BigInt(at) > moment).toSorted(byTime)
    const lead = later.findIndex(({ what }) => what === 'lead')
    const first = later.slice(lead).find(({ what }) => what === 'acknowledged')
    if (lead < 0 || first === undefined) return null
    return Math.round(Number(BigInt(first.at) - moment) / 1_000_000)
  }

  signal(name: string, signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.children.get(name)!.kill(signal)
  }

  async kill(name: string): Promise<void> {
    const child = this.children.get(name)!
    this.children.delete(name)
    const ended = once(child, 'close')
    child.kill('SIGKILL')
    await ended
    if (this.leading === name) this.leading = null
  }

  async close(): Promise<void> {
    await Promise.all([...this.children.keys()].map((name) => this.kill(name)))
  }

  /** Against the whole chain, whose links were checked when it was read. */
  check(frames: readonly Frame[]): void {
    const seals = new Set(frames.map(({ seal }) => seal.toString('hex')))
    const texts = frames.flatMap(textsOf)
    assert.equal(new Set(texts).size, texts.length, 'a text stands twice in the chain')
    const sent = new Set(this.lines.flatMap((line) => (line.what === 'sent' ? line.seal : [])))
    for (const seal of seals) assert.ok(sent.has(seal), 'no writer sent a frame of the chain')
    for (const line of this.lines)
      if (line.what === 'acknowledged')
        assert.ok(seals.has(line.seal), `lost, though acknowledged: ${line.text}`)
    this.checkTerms()
  }

  /** Terms do not overlap: what is acknowledged is so before the next one begins to lead. */
  private checkTerms(): void {
    const inTime = this.lines.toSorted(byTime)
    let leader = 0
    for (const line of inTime) {
      if (line.what === 'lead') leader = line.life
      if (line.what === 'acknowledged')
        assert.equal(line.life, leader, `acknowledged while another led: ${line.text}`)
    }
  }
}
