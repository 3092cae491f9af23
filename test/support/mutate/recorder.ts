// Asks the core again what was recorded, in a process that stays: a fault costs what it takes to
// load the core and to come to the first difference.

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { endGroup, watched } from './children.ts'
import type { Replaced } from './fresh-modules.ts'
import { built, type Program } from './programs.ts'

const flags = ['--experimental-vm-modules', '--no-warnings']

/** Where the answers are; they are made when they are not there. */
export async function recordedFile({ args, digest }: Program, folder: string): Promise<string> {
  const file = join(folder, `recorded-${digest.slice(0, 16)}`)
  if (existsSync(file)) return file
  const [program, ...scenarios] = args.map((path) => join(built, path))
  const line = [...flags, program!, 'make', file, ...scenarios]
  const options = { stdio: 'ignore', timeout: 900_000, detached: true } as const
  const [status] = await once(watched(spawn(process.execPath, line, options)), 'exit')
  if (status !== 0) throw new Error('the core and its twin differ without any fault')
  return file
}

export class Recorder {
  private readonly program: string
  private readonly file: string
  private child: ChildProcess | null = null
  /** The longest that one history has taken. */
  slowestMs = 0

  constructor({ args }: Program, file: string) {
    this.program = join(built, args[0]!)
    this.file = file
  }

  /** Whether it is noticed, or a history does not end in time. */
  notices(replaced: Replaced | null, ms: number): Promise<boolean> {
    const child = this.child ?? this.start()
    return new Promise((resolve) => {
      let since = performance.now()
      const timer = setTimeout(() => endGroup(child), ms)
      const answered = (noticed: boolean) => {
        clearTimeout(timer)
        child.removeAllListeners('message').removeListener('exit', ended)
        resolve(noticed)
      }
      const ended = () => {
        this.child = null
        answered(true)
      }
      child.on('message', (said) => {
        if (said !== 'next') return answered(said === true)
        this.slowestMs = Math.max(this.slowestMs, performance.now() - since)
        since = performance.now()
        timer.refresh()
      })
      child.once('exit', ended)
      child.send({ replaced })
    })
  }

  private start(): ChildProcess {
    const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const
    const options = { execArgv: flags, stdio: [...stdio], detached: true }
    this.child = watched(fork(this.program, [this.file], options))
    return this.child
  }
}
