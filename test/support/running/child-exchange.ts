// The real program as a process of its own, to be reached over sockets and killed.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ownProgram = fileURLToPath(new URL('../../../src/main.js', import.meta.url))

/** Of every child that tests start; known, so that a restart needs no reading of banners. */
export const adminToken = 'token-of-the-tests-not-a-secret'

export type Ports = Readonly<{ port: number; adminPort: number }>
export type Exit = Readonly<{ code: number | null; signal: NodeJS.Signals | null }>

const errorsKept = 20_000
const alive = new Set<ChildProcess>()
// A test that fails must not leave an exchange behind that keeps its own process from ending.
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

export class ChildExchange {
  /** Rejects when the process ends before it serves. */
  readonly ready: Promise<Ports>
  readonly ended: Promise<Exit>
  /** What it said on standard error. */
  errors = ''
  private readonly child: ChildProcess

  /** `descriptors`: the maximum of open files and sockets. */
  constructor(
    data: string,
    flags: readonly string[] = [],
    descriptors: number | null = null,
    program = ownProgram,
    environment: Readonly<Record<string, string>> = {},
  ) {
    const scopes = 'read+markets+accounts+money+prices+operate'
    const places = [
      '--port=0',
      '--admin-port=0',
      '--compat-port=off',
      '--past-minutes',
      '0',
      '--data',
      data,
    ]
    const isReader = flags[flags.indexOf('--role') + 1] === 'read'
    const tokens = isReader ? [] : ['--admin-tokens', `tests:${adminToken}:${scopes}`]
    const quiet = ['--log-level', 'warn', ...tokens]
    const args = [program, ...places, ...quiet, ...flags]
    const run = [process.execPath, ...args]
    const limited = ['/bin/sh', '-c', `ulimit -n ${descriptors}; exec "$0" "$@"`, ...run]
    const [command, ...rest] = descriptors === null ? run : limited
    const env = { ...process.env, ...environment }
    this.child = spawn(command!, rest, { stdio: ['ignore', 'pipe', 'pipe'], env })
    alive.add(this.child)
    this.child.once('exit', () => alive.delete(this.child))
    this.child.stderr!.on('data', (text) => {
      this.errors = (this.errors + text).slice(-errorsKept)
    })
    // `close`, not `exit`: by then everything it said has been read.
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }))
    this.ready = this.readPorts()
    // If it is killed while it starts, the caller does not wait for it to be ready.
    this.ready.catch(() => undefined)
  }

  get pid(): number {
    return this.child.pid!
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal)
  }

  private async readPorts(): Promise<Ports> {
    let said = ''
    this.child.stdout!.setEncoding('utf8')
    for await (const text of this.child.stdout!) {
      said += text
      const port = /API +http:\/\/[^ ]+:(\d+)\/api/.exec(said)
      const admin = /Admin +http:\/\/[^ ]+:(\d+)/.exec(said)
      if (port === null || admin === null || !said.includes('Ctrl-C')) continue
      this.child.stdout!.resume()
      return { port: Number(port[1]), adminPort: Number(admin[1]) }
    }
    throw new Error(`the exchange ended before it was ready: ${this.errors}`)
  }
}
