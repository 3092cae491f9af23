// The exchange and the generator, each on a core of its own where the system allows it.

import { fork, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { StartedExchange } from '../../../bench/http/started-exchange.ts'
import type { Ready, Result, Start, Task } from './generator.ts'

const built = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Two cores or more, and `taskset` to choose one. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0

function pin(pid: number, core: number): void {
  if (canPin) spawnSync('taskset', ['-a', '-p', '-c', String(core), String(pid)])
}

export class OverloadedExchange extends StartedExchange {
  constructor() {
    super('overload')
  }

  async start(flags: readonly string[]): Promise<void> {
    const before = canPin ? ['taskset', '-c', '0'] : []
    await this.run({ flags: ['--past-minutes', '0', ...flags], before })
  }

  /** The longest turn of its event loop since the last call. */
  async turnMs(): Promise<number> {
    return (await this.metrics())('nodejs_eventloop_lag_max_seconds') * 1_000
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
