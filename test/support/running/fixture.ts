// `openperp start --fixture` as a process: what it prints, and how it ends.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Exit } from './child-exchange.ts'

const program = fileURLToPath(new URL('../../../src/main/openperp.js', import.meta.url))

export type FixtureLine = Readonly<{
  url: string
  ws: string
  compat_url: string | null
  admin_url: string
  accounts: Readonly<Record<string, Readonly<{ address: string; secret: string }>>>
  pid: number
  version: string
  sandbox_token?: string
}>

type Place = Readonly<{ folder?: string; environment?: Readonly<Record<string, string>> }>

const alive = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

export class Fixture {
  /** What it prints when it is ready; rejects if it ends before. */
  readonly line: Promise<FixtureLine>
  readonly ended: Promise<Exit>
  /** All that it printed on standard output and standard error. */
  output = ''
  errors = ''
  readonly child: ChildProcess

  constructor(flags: readonly string[] = [], { folder, environment = {} }: Place = {}) {
    this.child = spawn(process.execPath, [program, 'start', '--fixture', ...flags], {
      ...(folder !== undefined && { cwd: folder }),
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    alive.add(this.child)
    this.child.once('exit', () => alive.delete(this.child))
    // It may end before it has read its input.
    this.child.stdin!.on('error', () => undefined)
    this.child.stderr!.on('data', (text) => {
      this.errors += text
    })
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }))
    this.line = this.firstLine()
    this.line.catch(() => undefined)
  }

  /** Ends it as the end of the program that started it would. */
  end(): Promise<Exit> {
    this.child.stdin!.end()
    return this.ended
  }

  kill(signal: NodeJS.Signals): Promise<Exit> {
    this.child.kill(signal)
    return this.ended
  }

  private firstLine(): Promise<FixtureLine> {
    return new Promise((resolve, reject) => {
      this.child.stdout!.on('data', (text) => {
        this.output += text
        if (this.output.includes('\n')) resolve(JSON.parse(this.output.split('\n')[0]!))
      })
      this.ended.then(({ code }) => reject(new Error(`it ended with ${code}: ${this.errors}`)))
    })
  }
}
