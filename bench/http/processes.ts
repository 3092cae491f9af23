// The processes and threads of the bench: the exchange as `npm start` runs it, the bare server, the
// load client, and a verifying thread for every core.

import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ClientReady, ClientResult, ClientStart, ClientTask } from './load-client.ts'
import { StartedExchange } from './started-exchange.ts'

const built = (path: string) => fileURLToPath(new URL(path, import.meta.url))

function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a process ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message as T)
    })
  })
}

export type Used = Readonly<{ entries: number; batches: number; cpuSeconds: number }>

/** Without rate limit. */
export class ExchangeProcess extends StartedExchange {
  private readonly flags: readonly string[]

  constructor(flags: readonly string[] = []) {
    super('bench')
    this.flags = flags
  }

  /** `profiles`: a folder for CPU profiles of its threads. */
  async start(profiles: string | null): Promise<void> {
    const nodeFlags = profiles === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]
    const flags = ['--compat-port', 'off', '--rate-limit', 'off', ...this.flags]
    await this.run({ flags, nodeFlags })
  }

  /** Number of entries made durable, number of batches, and processor time of all threads. */
  async used(): Promise<Used> {
    const read = await this.metrics()
    return {
      entries: read('openperp_batch_size_sum'),
      batches: read('openperp_batch_size_count'),
      cpuSeconds: read('process_cpu_seconds_total'),
    }
  }
}

export class BareServer {
  port = 0
  private readonly child = fork(built('./bare-server.js'))
  private readonly listening = answerOf<number>(this.child)

  async start(): Promise<void> {
    this.port = await this.listening
  }

  stop(): void {
    this.child.disconnect()
  }
}

export class ClientProcess {
  private readonly child = fork(built('./load-client.js'))

  start(start: ClientStart): Promise<ClientReady> {
    this.child.send(start)
    return answerOf(this.child)
  }

  run(task: ClientTask): Promise<ClientResult> {
    this.child.send(task)
    return answerOf(this.child)
  }

  stop(): void {
    this.child.disconnect()
  }
}

/** One on every core. */
export class VerifyThreads {
  private readonly threads = Array.from(
    { length: availableParallelism() },
    () => new Worker(new URL('./verify-thread.js', import.meta.url)),
  )
  private readonly ready = Promise.all(this.threads.map(reportOf))

  async start(): Promise<void> {
    await this.ready
  }

  /** Signatures a second, all cores together. */
  async rate(ms: number): Promise<number> {
    for (const thread of this.threads) thread.postMessage(ms)
    const rates = await Promise.all(this.threads.map(reportOf))
    return rates.reduce((sum, rate) => sum + rate, 0)
  }

  async stop(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.terminate()))
  }
}

function reportOf(thread: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    thread.once('error', reject)
    thread.once('message', (rate: number) => {
      thread.off('error', reject)
      resolve(rate)
    })
  })
}
