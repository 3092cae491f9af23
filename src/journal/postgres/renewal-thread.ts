// The trading thread's end of the renewal thread. The thread is started before the lease is free,
// so that taking it needs neither a new thread nor a new connection.

import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Lease } from '../store/frame-store.ts'
import { LeaseMemory } from '../store/lease-memory.ts'
import { machineMs } from '../store/machine-clock.ts'
import { asStoreFault, StoreFault, type StoreFaultCode } from '../store/store-fault.ts'
import type { PostgresLeaseOptions, Taking } from './postgres-lease.ts'

export type RenewalStart = Omit<PostgresLeaseOptions, 'now'> &
  Readonly<{ buffer: SharedArrayBuffer; port: MessagePort }>

export type FaultSent = Readonly<{ code: StoreFaultCode; message: string }>
export type ToThread =
  | Readonly<{ kind: 'open' }>
  | Readonly<{ kind: 'resign' }>
  | Readonly<{ kind: 'take'; taking: Taking }>
export type FromThread =
  /** Answers to the request; `sentAt` is `null` if the lease was not taken. */
  | Readonly<{ kind: 'done'; sentAt: number | null }>
  | Readonly<{ kind: 'failed'; fault: FaultSent }>
  | Readonly<{ kind: 'stepDown' }>
  | Readonly<{ kind: 'ended'; fault: FaultSent }>

type Waiting = Readonly<{
  resolve: (sentAt: number | null) => void
  reject: (fault: StoreFault) => void
}>

/** The thread allocates little, and must not keep a large heap for it. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 } as const

export class RenewalThread implements Lease {
  /** Resolves when the thread is connected to the database. */
  readonly opened: Promise<void>
  readonly stepDown: Promise<void>
  readonly ended: Promise<StoreFault>
  private readonly worker: Worker
  private readonly port: MessagePort
  private readonly memory = new LeaseMemory()
  private resolveStepDown: () => void = () => undefined
  private resolveEnded: (fault: StoreFault) => void = () => undefined
  private known: StoreFault | null = null
  private waiting: Waiting | null = null

  constructor(options: Omit<RenewalStart, 'buffer' | 'port'>) {
    this.stepDown = new Promise((resolve) => {
      this.resolveStepDown = resolve
    })
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve
    })
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    const workerData: RenewalStart = { ...options, buffer: this.memory.buffer, port: port2 }
    const url = new URL('./renewal-worker.js', import.meta.url)
    this.worker = new Worker(url, { workerData, transferList: [port2], resourceLimits })
    this.worker.on('error', (error) => this.fail(asStoreFault(error)))
    this.worker.once('exit', () => this.fail(threadEnded()))
    port1.on('message', (message: FromThread) => this.hear(message))
    this.opened = this.ask({ kind: 'open' }).then(() => undefined)
    // The next request reports the error, too.
    this.opened.catch(() => undefined)
  }

  get endsAt(): number {
    return this.memory.endsAt
  }

  /** The reason is read now, because the event loop may not have come to it. */
  get fault(): StoreFault | null {
    for (;;) {
      const received = receiveMessageOnPort(this.port)
      if (received === undefined) return this.known
      this.hear(received.message as FromThread)
    }
  }

  showProgress(): void {
    this.memory.progressAt = machineMs()
  }

  /** Takes the lease, and renews it from then on. Returns whether it was taken. */
  async take(taking: Taking): Promise<boolean> {
    return (await this.ask({ kind: 'take', taking })) !== null
  }

  async resign(): Promise<void> {
    await this.ask({ kind: 'resign' })
  }

  close(): void {
    this.fail(threadEnded())
    this.port.close()
    void this.worker.terminate()
  }

  private ask(message: ToThread): Promise<number | null> {
    if (this.known !== null) return Promise.reject(this.known)
    if (this.waiting !== null) throw new Error('a request to the renewal thread is pending')
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject }
      this.port.postMessage(message)
    })
  }

  private hear(message: FromThread): void {
    if (message.kind === 'stepDown') return this.resolveStepDown()
    if (message.kind === 'ended') return this.fail(faultOf(message.fault))
    const { waiting } = this
    this.waiting = null
    if (message.kind === 'failed') waiting?.reject(faultOf(message.fault))
    else waiting?.resolve(message.sentAt)
  }

  private fail(fault: StoreFault): void {
    if (this.known !== null) return
    this.known = fault
    this.resolveEnded(fault)
    this.waiting?.reject(fault)
    this.waiting = null
  }
}

const faultOf = ({ code, message }: FaultSent) => new StoreFault(code, message)

function threadEnded(): StoreFault {
  return new StoreFault('LEAD_LOST', 'the thread that renews the lease has ended')
}
