// Read nodes, as seen by the leader. Each node follows over a link and forwards the requests of its
// clients. It has no other rights than the calls here. Orders armed on its connections are
// cancelled when the node is lost, but not when the leader changes or the link is interrupted
// briefly.

import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Sandbox } from '../../gateway/sandbox.ts'
import type { ExchangeData } from '../../sequencer/exchange-data.ts'
import type { Calls, Served } from '../../sequencer/link/calls.ts'
import type { FollowerLink } from '../../sequencer/link/followers.ts'
import { endConnections } from '../peers/armed-connections.ts'
import type { Peer, Peers } from '../peers/peers.ts'
import { servedClock } from '../peers/shared-sandbox.ts'
import { Silence } from '../peers/silence.ts'
import type { LeadersReceipts } from '../receipts/receipts.ts'
import { isReaderOwner, readerOwnerOf } from './reader-owner.ts'
import { ReaderReports } from './reader-reports.ts'
import type { ReaderRequests } from './reader-requests.ts'
import { reportedEnds } from './reported-ends.ts'

/** A node that has not reconnected after this time counts as lost. */
const goneMs = 3_000
/** Maximum heartbeat interval, independent of the lease. Without heartbeats a read node cannot know
 *  whether its state is current. */
const beatMsMax = 1_000
/** After this time without an answer a node is considered stuck, and its link is closed so that its
 *  clients reconnect elsewhere. */
const unansweredMsMax = 10_000

export type ReaderNodesParts = Readonly<{
  data: ExchangeData
  peers: Peers
  log: Logger
  leaseMs: number
  requests: ReaderRequests
  creditsPerIp: number
  /** `null` unless in sandbox mode. */
  sandbox: Sandbox | null
  receipts: LeadersReceipts
  fault: (error: unknown) => void
}>

export class ReaderNodes {
  private readonly parts: ReaderNodesParts
  private readonly nodes = new Set<ReaderNode>()
  private readonly timers = new Set<NodeJS.Timeout>()
  private readonly beat: NodeJS.Timeout
  /** Address of the admin plane; `null` until it is known. */
  private admin: string | null = null

  constructor(parts: ReaderNodesParts) {
    this.parts = parts
    // Heartbeats in both directions.
    const everyMs = Math.min(parts.leaseMs / 2, beatMsMax)
    this.beat = setInterval(() => this.closeUnresponsive(), everyMs).unref()
    // Followers of the previous leader must reconnect to this one, or they count as lost.
    this.later(() => this.endConnectionsOf(() => true))
  }

  /** Number of nodes that follow now. */
  get count(): number {
    return this.nodes.size
  }

  take(stream: Duplex, name: string): void {
    const { data, peers } = this.parts
    const node = new ReaderNode(name)
    // A node that reconnects may have been lost without a trace.
    for (const other of this.nodes) if (other.name === name) other.link?.close()
    node.link = data.followers.serveCaller(stream, this.servedTo(node))
    this.nodes.add(node)
    peers.add(node)
    void node.link.gone.then(() => this.left(node))
  }

  /** Sends the address of the admin plane to the nodes. */
  announce(admin: string): void {
    this.admin = admin
    for (const { owner, calls } of this.nodes) if (owner !== '') calls?.notify('admin', admin)
  }

  /** All calls that a read node may make. */
  private servedTo(node: ReaderNode): Served {
    const { data, peers, requests, creditsPerIp, sandbox, receipts } = this.parts
    const { sequencer } = data
    const owner = () => node.owner
    const reports = new ReaderReports({ view: () => sequencer.view, creditsPerIp, now: Date.now })
    return {
      wallClock: () => Date.now(),
      hello: (said: unknown) => this.greet(node, said),
      request: requests.ofNode(node.name, owner, () => node.link?.close()),
      endConnection: reportedEnds({ sequencer, owner }),
      keysUsed: (said: unknown) => peers.keysUsed(node, reports.keysUsed(said)),
      spent: (said: unknown) => peers.spent(node, reports.spent(said)),
      ...receipts.served(),
      ...(sandbox !== null && servedClock(sandbox)),
    }
  }

  private greet(node: ReaderNode, owner: unknown): void {
    const { peers, log } = this.parts
    const { name, calls } = node
    if (node.owner !== '' || !isReaderOwner(name, owner)) return node.link?.close()
    node.owner = owner
    peers.greet(node)
    // Also while it is not known: the node may have the address of the previous leader.
    calls?.notify('admin', this.admin)
    log.info({ node: name }, `${name} follows`)
  }

  /** Answers the pending requests of all nodes, then closes their links. */
  async close(): Promise<void> {
    clearInterval(this.beat)
    for (const timer of this.timers) clearTimeout(timer)
    await Promise.all([...this.nodes].map(({ link }) => link?.finish()))
  }

  private left(node: ReaderNode): void {
    const { peers, log } = this.parts
    this.nodes.delete(node)
    peers.remove(node)
    log.info({ node: node.name }, `${node.name} follows no more`)
    if (node.owner !== '') this.later(() => this.endConnectionsOf((owner) => owner === node.owner))
  }

  /** Ends the connections of matching owners that have no link now. */
  private endConnectionsOf(which: (owner: string) => boolean): void {
    const { data, fault } = this.parts
    const here = new Set([...this.nodes].map(({ owner }) => owner))
    const isOver = (connection: string) => {
      const owner = readerOwnerOf(connection)
      return owner !== null && which(owner) && !here.has(owner)
    }
    endConnections(data.sequencer, isOver).catch(fault)
  }

  private later(work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      work()
    }, goneMs).unref()
    this.timers.add(timer)
  }

  private closeUnresponsive(): void {
    for (const node of this.nodes) if (node.unansweredMs() > unansweredMsMax) node.link?.close()
  }
}

class ReaderNode implements Peer {
  readonly name: string
  /** Prefix of the node's connection names; empty until the node has identified itself. */
  owner = ''
  link: FollowerLink | null = null
  private readonly silence = new Silence()

  constructor(name: string) {
    this.name = name
  }

  get calls(): Calls | null {
    return this.link?.calls ?? null
  }

  /** Returns the age in ms of the oldest unanswered call, and sends the next call. */
  unansweredMs(): number {
    return this.calls === null ? 0 : this.silence.ms(this.calls)
  }
}
