// Where nodes of the cluster come in that follow this one. It is open from the start, so that they
// know the address before they need it; who comes while this node does not lead is sent away.

import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { LinkServer, linkKeyOf } from '../../sequencer/link/node-link.ts'

type Take = (stream: Duplex, node: string) => void

/** Somebody who tries again and again is one line in the log for so long. */
const strangerMs = 60_000

export class LinkDoor {
  private readonly server: LinkServer
  private readonly leads: { to: Take | null }

  private constructor(server: LinkServer, leads: { to: Take | null }) {
    this.server = server
    this.leads = leads
  }

  static async open({ clusterKey, linkHost, linkPort }: Config, log: Logger): Promise<LinkDoor> {
    const leads: { to: Take | null } = { to: null }
    let toldAt = Number.NEGATIVE_INFINITY
    const server = await LinkServer.listen({
      host: linkHost,
      port: linkPort,
      key: linkKeyOf(clusterKey),
      onNode: (stream, node) => (leads.to === null ? stream.destroy() : leads.to(stream, node)),
      onStranger(address, why) {
        if (performance.now() - toldAt < strangerMs) return
        toldAt = performance.now()
        log.warn({ address, why }, 'somebody without the key of the cluster was sent away')
      },
    })
    return new LinkDoor(server, leads)
  }

  /** Where other nodes find it. */
  get address(): string {
    return this.server.address
  }

  /** From now on this node leads. */
  leadTo(take: Take): void {
    this.leads.to = take
  }

  close(): void {
    this.server.close()
  }
}
