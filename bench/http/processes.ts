// The processes and threads of the bench: the exchange as `npm start` runs it, the bare server, the
// load client, and a verifying thread for every core.

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ClientReady, ClientResult, ClientStart, ClientTask } from './load-client.ts'

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

/** The exchange with a data folder of its own; bots off, no rate limit. */
export class ExchangeProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'openperp-bench-'))
  port = 0
  private child: ChildProcess | null = null

  /** `profiles`: a folder for CPU profiles of its threads. */
  async start(profiles: string | null): Promise<void> {
    const flags = [
      '--data',
      this.folder,
      '--port=0',
      '--admin-port=0',
      '--compat-port=off',
      '--bots',
      'off',
    ]
    const quiet = ['--rate-limit', 'off', '--log-level', 'error']
    const program = [built('../../src/main.js'), ...flags, ...quiet]
    const profiling = profiles === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]
    const child = spawn(process.execPath, [...profiling, ...program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.child = child
    this.port = await new Promise((resolve, reject) => {
      let text = ''
      child.once('exit', (code) => reject(new Error(`the exchange ended with ${code}`)))
      child.stdout!.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
        const port = /http:\/\/127\.0\.0\.1:(\d+)\/api/.exec(text)?.[1]
        if (port !== undefined) resolve(Number.parseInt(port, 10))
      })
    })
  }

  async fund(addresses: readonly string[]): Promise<void> {
    for (const account of addresses) {
      const body = JSON.stringify({ account, amount: '1000000' })
      const headers = { 'content-type': 'application/json' }
      const url = `http://127.0.0.1:${this.port}/api/v1/sandbox/faucet`
      const reply = await fetch(url, { method: 'POST', headers, body })
      if (!reply.ok) throw new Error(`not funded: ${await reply.text()}`)
    }
  }

  /** How many entries were made durable, in how many batches, and what all threads worked. */
  async used(): Promise<Used> {
    const text = await (await fetch(`http://127.0.0.1:${this.port}/metrics`)).text()
    const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)![1])
    return {
      entries: read('openperp_batch_size_sum'),
      batches: read('openperp_batch_size_count'),
      cpuSeconds: read('process_cpu_seconds_total'),
    }
  }

  async stop(): Promise<void> {
    const { child } = this
    if (child !== null && child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    }
    rmSync(this.folder, { recursive: true, force: true })
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
