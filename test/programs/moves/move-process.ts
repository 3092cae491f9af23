// `openperp cluster adopt` or `leave` as a process that can be killed.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export type Action = 'adopt' | 'leave'

const program = fileURLToPath(new URL('../../../src/main/openperp.js', import.meta.url))
const pollMs = 2

export class MoveProcess {
  /** When it has the lock of the folder, or has ended. */
  readonly began: Promise<void>
  readonly ended: Promise<Readonly<{ code: number | null; out: string; err: string }>>
  private readonly child: ChildProcess
  private out = ''
  private err = ''

  constructor(action: Action, folder: string, url: string) {
    const args = ['cluster', action, '--data', folder, '--cluster', url, '--json']
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.child = child
    child.stdout.on('data', (text) => {
      this.out += text
    })
    child.stderr.on('data', (text) => {
      this.err += text
    })
    let isOver = false
    this.began = this.waitForLock(join(folder, 'lock'), () => isOver)
    this.ended = once(child, 'close').then(([code]) => {
      isOver = true
      return { code, out: this.out, err: this.err }
    })
  }

  kill(): void {
    this.child.kill('SIGKILL')
  }

  private async waitForLock(lock: string, isOver: () => boolean): Promise<void> {
    while (!existsSync(lock) && !isOver()) await wait(pollMs)
  }
}
