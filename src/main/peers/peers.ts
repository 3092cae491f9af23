// The other processes that serve the public API, on the leader's machine or on others. The leader
// distributes shared state to them: whether orders are accepted, spent credits, and used keys.

import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Closed, DisputedPrice } from '../../gateway/exchange.ts'
import type { Spent } from '../../gateway/limits/rate-limit.ts'
import type { Sandbox } from '../../gateway/sandbox.ts'
import type { OpenHistory } from '../../projections/history/create-history.ts'
import type { Calls, Served } from '../../sequencer/link/calls.ts'
import { kindOf } from '../../sequencer/outcome.ts'
import type { Sequencer } from '../../sequencer/sequencer.ts'
import type { LeadersReceipts } from '../receipts/receipts.ts'
import { disarmConnections } from './armed-connections.ts'
import type { OwnShare } from './own-share.ts'
import type { KeysUsed } from './shared-key-use.ts'
import { servedSandbox } from './shared-sandbox.ts'

/** The status of the leader, sent to a new follower and whenever it changes. */
export type Status = Readonly<{
  /** Why orders are not accepted, for reasons that are not part of the state. */
  closed: Closed
  /** Problem of the leader's history; `null` if there is none. */
  historyMissing: string | null
  /** Absent if the leader has an older version. */
  disputedPrices?: readonly DisputedPrice[]
}>

/** Information that a process needs before it serves any request. */
export type Ready = Readonly<{
  status: Status
  /** Position up to which the leader's history is stored. */
  storedSeq: number
}>

/** Delay in ms after which processes are notified that order acceptance has changed. */
const statusMs = 50
/** Maximum time that a caller of the leader waits for a slow process. */
const settleMsMax = 1_000

export type Peer = Readonly<{
  /** Prefix of the names of its connections; empty until the process has identified itself. */
  owner: string
  /** Calls to the process; `null` while it does not follow. */
  calls: Calls | null
}>

export type PeersParts = Readonly<{
  history: Pick<OpenHistory, 'commitTo' | 'onStored' | 'missing' | 'seq'>
  sandbox: Sandbox | null
  closed: () => Closed
  disputedPrices: () => readonly DisputedPrice[]
  receipts: LeadersReceipts
  sequencer: Sequencer
  own: Pick<OwnShare, 'owner' | 'shared'>
  fault: (error: unknown) => void
}>

export class Peers {
  private readonly parts: PeersParts
  private readonly all = new Set<Peer>()
  private readonly unfollow: readonly (() => void)[]
  private lastStatus: Status

  constructor(parts: PeersParts) {
    this.parts = parts
    this.lastStatus = this.status()
    parts.history.onStored((seq) => this.notify('stored', seq))
    const watch = setInterval(() => this.publishStatus(), statusMs).unref()
    this.unfollow = [
      () => clearInterval(watch),
      parts.receipts.onCheckpoint((made) => this.notify('checkpoint', made)),
      parts.sequencer.onBatch(({ outcomes }) => {
        if (kindOf(outcomes[0]!) === 'revert') this.disarmExited()
      }),
    ]
  }

  add(peer: Peer): void {
    this.all.add(peer)
  }

  /** Sends the initial status. */
  greet({ calls }: Peer): void {
    calls?.notify('status', this.lastStatus)
  }

  remove(peer: Peer): void {
    this.all.delete(peer)
  }

  /** Returns the calls that a process of this machine may make. */
  servedTo(peer: Peer): Served {
    const { history, sandbox } = this.parts
    return {
      wallClock: () => Date.now(),
      ready: (): Ready => ({ status: this.lastStatus, storedSeq: history.seq() }),
      storeTo: (seq: number) => history.commitTo(seq),
      keysUsed: (used: KeysUsed) => this.keysUsed(peer, used),
      spent: (spent: readonly Spent[]) => this.spent(peer, spent),
      ...this.parts.receipts.served(),
      ...(sandbox !== null && servedSandbox(sandbox, () => this.settled())),
    }
  }

  /** Shares the keys that a process saw. */
  keysUsed(peer: Peer, used: KeysUsed): void {
    this.parts.own.shared?.keyUse.heard(used)
    this.notifyOthers(peer, 'keysUsed', used)
  }

  /** Shares the credits that clients of a process spent. */
  spent(peer: Peer, spent: readonly Spent[]): void {
    this.parts.own.shared?.credits?.heard(spent)
    this.notifyOthers(peer, 'spent', spent)
  }

  notify(name: string, ...args: readonly unknown[]): void {
    for (const { calls } of this.all) calls?.notify(name, ...args)
  }

  /** Calls all given processes; resolves to `undefined` for a process that is lost. */
  askAll<T>(name: string, whom: Iterable<Peer> = this.all): Promise<T | undefined>[] {
    return [...whom].flatMap(({ calls }) =>
      calls === null ? [] : [calls.ask<T>(name).catch(() => undefined)],
    )
  }

  /** Resolves when every process has applied all entries so far. Stuck processes are not
   *  awaited. */
  async settled(): Promise<void> {
    this.publishStatus()
    const ending = new AbortController()
    const late = sleep(settleMsMax, undefined, { signal: ending.signal }).catch(() => undefined)
    await Promise.race([Promise.all(this.askAll('here')), late])
    ending.abort()
  }

  close(): void {
    for (const each of this.unfollow) each()
  }

  /** Disarms connections that a revert has armed again although their processes have exited
   *  since. */
  private disarmExited(): void {
    const { sequencer, own, fault } = this.parts
    const owners = [...this.all, own].map(({ owner }) => owner)
    const isOf = (connection: string) => (owner: string) =>
      owner !== '' && connection.startsWith(owner)
    const hasExited = (connection: string) => !owners.some(isOf(connection))
    disarmConnections(sequencer, hasExited).catch(fault)
  }

  private notifyOthers(peer: Peer, name: string, what: unknown): void {
    for (const other of this.all) if (other !== peer) other.calls?.notify(name, what)
  }

  private status(): Status {
    const { closed, history, disputedPrices } = this.parts
    const historyMissing = history.missing()
    return { closed: closed(), historyMissing, disputedPrices: disputedPrices() }
  }

  private publishStatus(): void {
    const status = this.status()
    if (isDeepStrictEqual(status, this.lastStatus)) return
    this.lastStatus = status
    this.notify('status', status)
  }
}
