// One gateway process, as seen by the leader, from start to exit.

import cluster, { type Worker } from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ExchangeData } from '../../sequencer/exchange-data.ts'
import type { Served } from '../../sequencer/link/calls.ts'
import type { FollowerLink } from '../../sequencer/link/followers.ts'
import type { PublicPorts } from '../front/front.ts'
import { Silence } from '../peers/silence.ts'
import { type Begin, type FailedStart, linkFd } from './begin.ts'

/** A gateway that has not read the folder within this time is stuck, and would prevent old files
 *  from being removed. */
const recoverMsMax = 120_000
/** Time in ms that a stopping gateway has to complete pending requests. */
const closeMsMax = 8_000

export type LifeParts = Readonly<{
  begin: Omit<Begin, 'owner'>
  data: ExchangeData
  /** Calls that the gateway may make, in addition to reports of its start. */
  served: (life: GatewayLife) => Served
}>

export class GatewayLife {
  /** Prefix of the names of its connections in the core. */
  readonly owner: string
  /** Rejects with the system error if the gateway could not start, or exited before it listened. */
  readonly listening: Promise<PublicPorts>
  serves = false
  /** Resolves with the reason when the gateway has exited. */
  readonly ended: Promise<string>
  private readonly worker: Worker
  private readonly parts: LifeParts
  private link: FollowerLink | null = null
  private readonly silence = new Silence()
  private say: Readonly<{
    listening(ports: PublicPorts): void
    failed(why: Error): void
    recovered(): void
  }>

  constructor(parts: LifeParts) {
    this.parts = parts
    const { begin } = parts
    this.owner = `${begin.place}-${randomBytes(6).toString('base64url')}/`
    let recovered = () => {}
    const hasRecovered = new Promise<void>((done) => {
      recovered = done
    })
    let say!: Pick<typeof this.say, 'listening' | 'failed'>
    this.listening = new Promise((listening, failed) => {
      say = { listening, failed }
    })
    // Callers that do not await `listening` learn of the error through `ended`.
    this.listening.catch(() => undefined)
    this.say = { ...say, recovered }
    this.worker = forked()
    const closeHanded = rememberHanded(this.worker)
    this.ended = once(this.worker.process, 'exit').then(([code, signal]) => {
      closeHanded()
      const why = signal === null ? `exit code ${code}` : `signal ${signal}`
      this.say.failed(new Error(`the gateway ended before it served anybody: ${why}`))
      return why
    })
    this.worker.once('message', () => {
      this.worker.send({ ...begin, owner: this.owner } satisfies Begin)
    })
    void parts.data.undisturbed(() => this.follow(hasRecovered))
  }

  get pid(): number {
    return this.worker.process.pid!
  }

  /** Calls to the gateway; `null` while it does not follow. */
  get calls() {
    return this.link?.calls ?? null
  }

  /** Completes pending requests, then exits. */
  async close(): Promise<void> {
    const killed = setTimeout(() => this.kill(), closeMsMax)
    await this.link?.calls.ask('close').catch(() => undefined)
    this.link?.close()
    if (this.link === null) this.kill()
    await this.ended
    clearTimeout(killed)
  }

  kill(): void {
    this.worker.process.kill('SIGKILL')
  }

  /** Returns the age in ms of the oldest unanswered call, and sends the next call. */
  unansweredMs(): number {
    return this.link === null ? 0 : this.silence.ms(this.link.calls)
  }

  /** Starts sending frames; resolves when the gateway has read what it needs from the folder. */
  private async follow(recovered: Promise<void>): Promise<void> {
    const { data, served } = this.parts
    const stream = this.worker.process.stdio[linkFd] as Duplex
    const own: Served = {
      recovered: () => this.say.recovered(),
      listening: (ports: PublicPorts) => {
        this.serves = true
        this.say.listening(ports)
      },
      failed: (why: FailedStart) => this.say.failed(Object.assign(new Error(why.message), why)),
    }
    const { seq: onDisk } = data.parts.journal
    this.link = data.followers.serve(stream, { ...served(this), ...own }, onDisk)
    const { gone } = this.link
    gone.then(() => {
      this.link = null
      // The gateway no longer follows, so it must not serve.
      this.kill()
    })
    const stuck = setTimeout(() => this.kill(), recoverMsMax)
    await Promise.race([recovered, gone])
    clearTimeout(stuck)
  }
}

/** Forks a gateway. The leader reads its standard streams; the link uses the descriptor after
 *  Node's own channel. */
function forked(): Worker {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('./gateway.js', import.meta.url)),
    args: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
  })
  cluster.schedulingPolicy = cluster.SCHED_RR
  return cluster.fork()
}

type Handle = Readonly<{ close(): void }>

/** Larger than the number of connections in transfer, of which there is one per port. Older
 *  connections are already closed here. */
const handedMax = 8

/** Remembers connections in transfer. Node keeps its end of a transferred connection until the
 *  gateway acknowledges it. If the gateway exits before, Node leaks that end and the client would
 *  wait forever. Returns a function that closes those ends. */
function rememberHanded({ process: child }: Worker): () => void {
  const handed: Handle[] = []
  const send = child.send.bind(child) as (...args: unknown[]) => boolean
  child.send = (...args: readonly unknown[]) => {
    const handle = args[1] as Partial<Handle> | undefined
    if (handle?.close !== undefined && handed.push(handle as Handle) > handedMax) handed.shift()
    return send(...args)
  }
  return () => {
    for (const handle of handed) handle.close()
  }
}
