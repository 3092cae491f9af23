// Looks out, while we lead, for a machine that was promoted later than the one we lead on: then
// ours was given up, whether it knows or not, and what it acknowledges will be thrown away. Who
// cannot be asked is left out: that a promoter holds a majority is what keeps this rare.

import { StoreFault } from '../store/store-fault.ts'
import { type Primary, timelineOf } from './find-primary.ts'
import type { Host } from './hosts.ts'
import { Session } from './session.ts'

/** Before the lead is taken everybody has so long to answer. A machine whose server is gone refuses
 *  at once, and one that is only slow may be the one that was promoted. */
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

  /** Asks everybody, and fails when one of them has taken the place of ours. */
  async requireNone(): Promise<void> {
    await this.ask()
    this.requireNoneSeen()
  }

  /** Asks those once more who answered: our own statement may have lain at a machine that stood
   *  still, and another may have been promoted meanwhile. The lease runs already, so nobody is
   *  waited for who could not be reached before. */
  async requireStillNone(): Promise<void> {
    await Promise.all([...this.sessions.keys()].map((host) => this.askOne(host)))
    if (this.found !== null) throw this.found
  }

  /** By what is known; asks once more without waiting for the answers. */
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

  /** A machine that was started again has ended the connection: it is asked on a new one. */
  private async askOne(host: Host): Promise<void> {
    const isKnown = this.sessions.has(host)
    if (!(await this.hear(host)) && isKnown) await this.hear(host)
  }

  /** False: it does not answer, and is asked on a new connection the next time. */
  private async hear(host: Host): Promise<boolean> {
    try {
      const session = this.sessions.get(host) ?? (await Session.open(host, answerMsMax))
      this.sessions.set(host, session)
      if (this.closed) session.close()
      else await this.look(host, session)
      return true
    } catch {
      this.sessions.get(host)?.close()
      this.sessions.delete(host)
      return false
    }
  }

  private async look(host: Host, session: Session): Promise<void> {
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
