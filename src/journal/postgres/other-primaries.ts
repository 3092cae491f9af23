// Detects, while this node leads, a machine that was promoted later than our primary. Our primary
// has then been abandoned, whether or not it knows, and its acknowledged writes will be lost.
// Unreachable machines are skipped. A promotion needs a majority, so this rarely hides one.

import { StoreFault } from '../store/store-fault.ts'
import { type Primary, timelineOf } from './find-primary.ts'
import type { Host } from './hosts.ts'
import { Session } from './session.ts'

/** Time in ms that all machines have to answer before the lease is taken. A machine without a
 *  running server refuses immediately. A machine that is only slow may be the promoted one. */
const answerMsMax = 2_000

export class OtherPrimaries {
  private readonly ours: Primary
  private readonly others: readonly Host[]
  private readonly sessions = new Map<Host, Session>()
  private asking: Promise<void> | null = null
  private found: StoreFault | null = null
  private closed = false

  constructor(ours: Primary, hosts: readonly Host[]) {
    this.ours = ours
    this.others = hosts.filter(({ url }) => url !== ours.session.host.url)
  }

  /** Queries all machines; fails if one of them was promoted later. */
  async requireNone(): Promise<void> {
    await this.ask()
    this.requireNoneSeen()
  }

  /** Queries the reachable machines again; fails if one of them was promoted meanwhile. Our own
   *  statement may have waited at a paused machine. Unreachable machines are skipped, because the
   *  lease is already running. */
  async requireStillNone(): Promise<void> {
    await Promise.all([...this.sessions.keys()].map((host) => this.askOne(host)))
    if (this.found !== null) throw this.found
  }

  /** Checks the latest answers, and starts the next query without waiting for it. */
  requireNoneSeen(): void {
    if (this.found !== null) throw this.found
    void this.ask()
  }

  close(): void {
    this.closed = true
    for (const session of this.sessions.values()) session.close()
  }

  private ask(): Promise<void> {
    this.asking ??= Promise.all(this.others.map((host) => this.askOne(host))).then(() => {
      this.asking = null
    })
    return this.asking
  }

  /** Queries one machine. Opens a new connection if a restarted machine has closed it. */
  private async askOne(host: Host): Promise<void> {
    const isKnown = this.sessions.has(host)
    if (!(await this.hear(host)) && isKnown) await this.hear(host)
  }

  /** Queries one machine; returns `false` if it does not answer. The next query then uses a new
   *  connection. */
  private async hear(host: Host): Promise<boolean> {
    try {
      const session = this.sessions.get(host) ?? (await Session.open(host, answerMsMax))
      this.sessions.set(host, session)
      if (this.closed) session.close()
      else await this.check(host, session)
      return true
    } catch {
      this.sessions.get(host)?.close()
      this.sessions.delete(host)
      return false
    }
  }

  private async check(host: Host, session: Session): Promise<void> {
    const timeline = await timelineOf(session)
    if (timeline !== null && timeline > this.ours.timeline) this.found = this.replaced(host)
  }

  private replaced({ name }: Host): StoreFault {
    const { host } = this.ours.session
    return new StoreFault(
      'STORE_NOT_REPLICATED',
      `${name} was promoted in place of ${host.name}, which still runs as a primary: stop ` +
        `${host.name}, and let it come back as a standby`,
    )
  }
}
