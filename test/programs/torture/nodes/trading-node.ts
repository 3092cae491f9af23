// A trading node of a cluster under torture: the real program, which can be started again when it
// has ended, with wires between it and the databases, and between clients and it.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ClockFile } from '../../../support/clocks/clock-file.ts'
import { until } from '../../../support/http/held-sockets.ts'
import { Wire } from '../../../support/postgres/wire.ts'
import { ChildExchange } from '../../../support/running/child-exchange.ts'
import { Connection } from '../../../support/running/connection.ts'
import { hangable } from '../../../support/running/hanging.ts'

const stopMsMax = 180_000

export type NodePlace = Readonly<{
  /** Its folder lies below this one. */
  root: string
  /** The databases, as `--cluster` takes them. */
  url: string
  flags: readonly string[]
  /** To each of the databases; none: it is connected without. */
  wires: readonly Wire[]
}>

export class TradingNode {
  readonly name: string
  readonly folder: string
  readonly wires: readonly Wire[]
  /** Its wall clock. */
  readonly clock: ClockFile
  /** By which clients come while it leads. */
  front: Wire | null = null
  private readonly place: NodePlace
  private readonly onLead: (node: TradingNode) => void
  private child: ChildExchange | null = null
  private ended = true
  /** How often its frame was not part of the chain, so that it began with nothing. */
  rebuilt = 0

  constructor(name: string, place: NodePlace, onLead: (node: TradingNode) => void) {
    this.name = name
    this.place = place
    this.folder = join(place.root, name)
    this.clock = new ClockFile(this.folder)
    this.wires = place.wires
    this.onLead = onLead
  }

  start(): void {
    const { url, flags } = this.place
    if (this.child?.errors.includes('start it with an empty one') === true) {
      this.rebuilt += 1
      rmSync(this.folder, { recursive: true })
    }
    const all = ['--cluster', url, '--node', this.name, '--log-level', 'info', ...flags]
    const environment = hangable(this.clock.environment)
    const child = new ChildExchange(this.folder, all, null, undefined, environment)
    this.child = child
    this.ended = false
    void child.ended.then(() => {
      if (this.child !== child) return
      this.ended = true
      this.front?.close()
      this.front = null
    })
    void child.ready.then(
      async ({ port }) => {
        const front = await Wire.to(port)
        if (this.child !== child || this.ended) return front.close()
        this.front = front
        this.onLead(this)
      },
      // It ended before it led.
      () => undefined,
    )
  }

  get process(): ChildExchange {
    return this.child!
  }

  /** Its last words, for the message of a failure. */
  get said(): string {
    const { name, ended, process } = this
    return `${name} ${ended ? 'has ended' : 'runs'}: ${process.errors.slice(-2_000)}`
  }

  /** Why it ended by itself, in its own words. */
  get why(): string {
    const fatal = [...this.process.errors.matchAll(/^\{"level":60.*"msg":"(.*)"\}$/gm)]
    return fatal.map(([, text]) => text).join('; ')
  }

  get hasEnded(): boolean {
    return this.ended
  }

  /** As an operator stops it; what it writes until it has ended is in its folder. */
  async stop(): Promise<void> {
    if (this.child === null || this.ended) return
    this.child.kill('SIGTERM')
    await until(() => this.ended, stopMsMax).catch((error) => {
      throw new Error(`it does not stop: ${this.said}`, { cause: error })
    })
  }

  async close(): Promise<void> {
    this.front?.close()
    if (this.child === null || this.ended) return
    this.child.kill('SIGKILL')
    await this.child.ended
  }

  /** A standby names the leader. */
  async follows(): Promise<boolean> {
    const [, port] =
      /"port":(\d+),"msg":"\w+ stands by until it leads"/.exec(this.process.errors) ?? []
    if (port === undefined) return false
    const connection = new Connection(Number(port))
    try {
      const { body } = await connection.send('GET', '/ready', null)
      return (body as { leader?: string | null }).leader != null
    } catch {
      // It has ended meanwhile, or leads.
      return false
    } finally {
      connection.close()
    }
  }
}
