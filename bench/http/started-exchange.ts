// The exchange as a separate process, with a data folder that is removed with it. The caller
// chooses the flags and the core.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../src/main.js', import.meta.url))

export type StartOptions = Readonly<{
  flags: readonly string[]
  /** Of Node itself. */
  nodeFlags?: readonly string[]
  /** Start of the command line, for instance to choose a core. */
  before?: readonly string[]
}>

export class StartedExchange {
  port = 0
  readonly folder: string
  /** Its standard output. */
  output = ''
  private child: ChildProcess | null = null

  constructor(name: string) {
    this.folder = mkdtempSync(join(tmpdir(), `openperp-${name}-`))
  }

  /** Of the process that was started. */
  get pid(): number {
    return this.child!.pid!
  }

  /** On free ports; resolves when it serves. */
  protected async run({ flags, nodeFlags = [], before = [] }: StartOptions): Promise<void> {
    const places = ['--data', this.folder, '--port', '0', '--admin-port', '0', '--bots', 'off']
    const line = [...before, process.execPath, ...nodeFlags, program, ...places, ...flags]
    const [command, ...args] = [...line, '--log-level', 'error']
    const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    this.child = child
    // A failing bench leaves no process behind.
    process.once('exit', () => child.kill('SIGKILL'))
    this.port = await new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the exchange ended with ${code}`)))
      child.stdout!.setEncoding('utf8').on('data', (piece: string) => {
        this.output += piece
        const port = /http:\/\/127\.0\.0\.1:(\d+)\/api/.exec(this.output)?.[1]
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

  /** Reads the numbers of `/metrics` by name. */
  protected async metrics(): Promise<(name: string) => number> {
    const text = await (await fetch(`http://127.0.0.1:${this.port}/metrics`)).text()
    return (name) => {
      const found = new RegExp(`^${name} (\\S+)`, 'm').exec(text)
      if (found === null) throw new Error(`/metrics has no ${name}`)
      return Number(found[1])
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
