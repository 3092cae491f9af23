// A program that is restarted when it exits, as the units of deploy/ do, until it is stopped. It
// can be killed as a machine would be: together with everything it started.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { signalTree } from '../postgres/process-tree.ts'
import type { Values } from './env-file.ts'

export type Program = Readonly<{
  command: readonly [string, ...string[]]
  environment: Values
  folder: string
  log: string
  /** Null: as the user of this process. */
  user: Readonly<{ uid: number; gid: number }> | null
}>

const againMs = 500
const running = new Set<Supervised>()
// Nothing is left behind, however this ends.
process.once('exit', () => {
  for (const each of running) each.kill()
})

export class Supervised {
  private readonly program: Program
  private child: ChildProcess | null = null
  private wanted = true
  private timer: NodeJS.Timeout | null = null

  constructor(program: Program) {
    this.program = program
    running.add(this)
    this.start()
  }

  /** Kills it together with all that it started; it does not come back. */
  kill(): void {
    this.wanted = false
    running.delete(this)
    if (this.timer !== null) clearTimeout(this.timer)
    const pid = this.child?.pid
    if (pid !== undefined && this.child?.exitCode === null) signalTree(pid, 'SIGKILL')
  }

  /** As a supervisor sees it: it dies, and is started again. */
  crash(): void {
    this.child?.kill('SIGKILL')
  }

  async stop(): Promise<void> {
    this.wanted = false
    if (this.timer !== null) clearTimeout(this.timer)
    const { child } = this
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const late = setTimeout(() => this.kill(), 30_000)
    await ended
    clearTimeout(late)
    running.delete(this)
  }

  private start(): void {
    const { command, environment, folder, log, user } = this.program
    const [file, ...args] = command
    const said = openSync(log, 'a')
    const child = spawn(file, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', said, said],
      ...(user ?? {}),
    })
    child.once('error', (error) => writeSync(said, `${error.message}\n`))
    child.once('exit', () => {
      closeSync(said)
      if (this.wanted) this.timer = setTimeout(() => this.start(), againMs)
    })
    this.child = child
  }
}
