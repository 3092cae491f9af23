// The port of a trading node for other nodes of the cluster: read nodes that follow this node while
// it leads, and joining machines that copy its folder. The port opens at the start, so that other
// nodes learn its address before they need it.

import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { giveFolder } from '../../sequencer/cluster/give-folder.ts'
import { type Caller, LinkServer, linkKeysOf, type Role } from '../../sequencer/link/node-link.ts'
import type { OpenedFolder } from '../../sequencer/opened-folder.ts'

type Take = (stream: Duplex, node: string) => void

/** Failed attempts are logged at most once in this interval. */
const strangerMs = 60_000

export class LinkDoor {
  private readonly log: Logger
  private server!: LinkServer
  private take: Take | null = null
  private opened: OpenedFolder | null = null
  private strangerAt = Number.NEGATIVE_INFINITY

  private constructor(log: Logger) {
    this.log = log
  }

  static async open(config: Config, log: Logger): Promise<LinkDoor> {
    const { clusterKey, readerKeys, linkHost, linkPort } = config
    const door = new LinkDoor(log)
    door.server = await LinkServer.listen({
      host: linkHost,
      port: linkPort,
      keys: linkKeysOf(clusterKey, readerKeys),
      onNode: (stream, ...caller) => door.came(stream, ...caller),
      onStranger: (address, why) => door.sentAway(address, why),
    })
    return door
  }

  /** Address at which other nodes reach this port. */
  get address(): string {
    return this.server.address
  }

  /** Starts serving followers, because this node leads. */
  leadTo(take: Take): void {
    this.take = take
  }

  /** Starts serving copies of this folder to joining machines. */
  giveTo(opened: OpenedFolder): void {
    this.opened = opened
  }

  close(): void {
    this.server.close()
  }

  /** Trading nodes follow through the store, so only read nodes follow here. A read node gets a
   *  copy without secrets. */
  private came(stream: TLSSocket, { node, wish }: Caller, role: Role): void {
    const { take, opened, log } = this
    if (wish === 'follow' && role === 'read' && take !== null) return take(stream, node)
    if (wish === 'follow' || opened === null) return stream.destroySoon()
    log.info({ node }, `${node} joins and copies this folder`)
    giveFolder(stream, opened, role === 'trade').catch((error: Error) => {
      log.warn({ node, why: error.message }, `${node} did not get a whole copy`)
      stream.destroy()
    })
  }

  private sentAway(address: string, why: string): void {
    if (performance.now() - this.strangerAt < strangerMs) return
    this.strangerAt = performance.now()
    this.log.warn({ address, why }, 'connection without a key of the cluster refused')
  }
}
