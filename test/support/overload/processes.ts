// The exchange and the generator, each on a core of its own where the system can be told so.

import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ready, Result, Start, Task } from './generator.ts'

const built = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Two cores or more, and `taskset` to choose one. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0

function pin(pid: number, core: number): void {
  if (canPin) spawnSync('taskset', ['-a', '-p', '-c', String(core), String(pid)])
}

export class OverloadedExchange {
  port = 0
  private readonly folder = mkdtempSync(join(tmpdir(), 'openperp-overload-'))
  private child: ChildProcess | null = null

  async start(flags: readonly string[]): Promise<void> {
    const places = ['--data', this.folder, '--port', '0', '--admin-port', '0']
    const quiet = ['--bots', 'off', '--log-level', 'error', '--past-minutes', '0']
    const program = [process.execPath, built('../../../src/main.js'), ...places, ...quiet, ...flags]
    const [command, ...args] = canPin ? ['taskset', '-c', '0', ...program] : program
    const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
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

  /** The longest turn of its event loop since the last time it was asked. */
  async turnMs(): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${this.port}/metrics`)).text()
    return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1] ?? 0) * 1_000
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

export class GeneratorProcess {
  private readonly child = fork(built('./generator.js'))

  constructor() {
    pin(this.child.pid!, 1)
  }

  start(start: Start): Promise<Ready> {
    return this.ask(start)
  }

  run(task: Task): Promise<Result> {
    return this.ask(task)
  }

  stop(): void {
    if (this.child.connected) this.child.disconnect()
  }

  private ask<T>(question: Start | Task): Promise<T> {
    return new Promise((resolve, reject) => {
      const { child } = this
      const ended = (code: number | null) => reject(new Error(`the generator ended with ${code}`))
      child.once('exit', ended)
      child.once('message', (message) => {
        child.off('exit', ended)
        resolve(message as T)
      })
      child.send(question)
    })
  }
}
