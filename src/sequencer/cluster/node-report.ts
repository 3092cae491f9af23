// Reports the status of this node, and compares its state with the other nodes. Every node hashes
// its state at the same positions of history: after a fixed number of entries, and when history is
// idle. A follower whose state differs from the leader's exits.

import type { FrameStore } from '../../journal/store/frame-store.ts'
import { clockOffMsMax, differing, type NodeNews } from '../../journal/store/node-news.ts'
import { StoreFault } from '../../journal/store/store-fault.ts'

/** Number of entries between two hashes. It is large because hashing takes longer as the state
 *  grows. */
const hashEntries = 100_000

export type ReportParts = Readonly<{
  name: string
  holder: string
  role: string
  version: string
  link: string
  /** The clock of this machine. */
  wallNow: () => number
  /** Seq of the state. */
  seq: () => number
  /** Returns the hash of the state after this seq. */
  hash: (seq: number) => Promise<string>
}>

export class NodeReport {
  private readonly parts: ReportParts
  private place = { hashSeq: 0, hash: '' }
  private passedSeq: number
  private publishedSeq = 0
  private hashing = false
  private clockOffMs = 0
  private changes = 0

  constructor(parts: ReportParts) {
    this.parts = parts
    this.passedSeq = parts.seq()
  }

  /** Called after each frame. */
  passed(): void {
    const seq = this.parts.seq()
    const before = this.passedSeq
    this.passedSeq = seq
    if (Math.floor(seq / hashEntries) > Math.floor(before / hashEntries)) this.takeHash(seq)
  }

  /** How often the lead changed within the last hour, as of the last report. */
  get leadChanges(): number {
    return this.changes
  }

  /** Problem of the clock of this machine; `null` if there is none. */
  get clockFault(): string | null {
    const seconds = Math.round(this.clockOffMs / 10_000) * 10
    if (Math.abs(this.clockOffMs) <= clockOffMsMax) return null
    const way = seconds > 0 ? 'ahead of' : 'behind'
    return (
      `the clock of this machine is some ${Math.abs(seconds)} s ${way} the database's: set both ` +
      'by NTP'
    )
  }

  /** Publishes the report. Throws STATE_OTHER if the leader had another state at the same seq. */
  async publish(store: FrameStore): Promise<void> {
    const { name, holder, role, version, link } = this.parts
    const seq = this.parts.seq()
    if (seq === this.publishedSeq && seq !== this.place.hashSeq) this.takeHash(seq)
    this.publishedSeq = seq
    const wallMs = this.parts.wallNow()
    const own: NodeNews = { name, holder, role, version, link, wallMs, seq, ...this.place }
    const nodes = await store.exchangeNews(own)
    this.changes = await store.leadChanges()
    this.clockOffMs = nodes.find((node) => node.name === name)?.clockOffMs ?? 0
    const leader = nodes.filter((node) => node.holder === store.leader())
    const [other] = holder === store.leader() ? [] : differing(own, leader)
    if (other !== undefined)
      throw new StoreFault(
        'STATE_OTHER',
        `the state of this node after seq ${own.hashSeq} (${own.hash.slice(0, 12)}) is not the ` +
          `state of ${other.name}, which leads (${other.hash.slice(0, 12)}): keep this data ` +
          'folder for analysis, make sure that all nodes run the same version of openperp, and ' +
          'start with an empty folder',
      )
  }

  private takeHash(seq: number): void {
    if (this.hashing || seq === 0) return
    this.hashing = true
    this.parts.hash(seq).then(
      (hash) => {
        this.hashing = false
        this.place = { hashSeq: seq, hash }
      },
      // A failing snapshot thread reports its own error. The next position is hashed as usual.
      () => {
        this.hashing = false
      },
    )
  }
}
