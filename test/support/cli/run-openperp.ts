// The built command line. The first run of each command is a process of its own, as a person or a
// script has it: that it starts, ends by itself and has an exit code. Further runs of the same
// command are made here, by the same code, without the half second that a process takes to load.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Keyboard } from '../../../src/cli/frame/command.ts'
import { runCli } from '../../../src/cli/frame/run-cli.ts'
import { version } from '../../../src/gateway/documents/version.ts'
import { allCommands } from '../../../src/main/command-line.ts'

const program = fileURLToPath(new URL('../../../src/main/openperp.js', import.meta.url))

export type Ran = Readonly<{ code: number; out: string; err: string }>

export type RunOptions = Readonly<{
  environment?: Readonly<Record<string, string>>
  /** The answers of a user at a terminal, one for each question; made here, not in a process. */
  answers?: readonly string[]
}>

function keyboardOf(answers: readonly string[]): Keyboard {
  const left = [...answers]
  return {
    async ask(question) {
      const answer = left.shift()
      if (answer === undefined) throw new Error(`no answer is given to: ${question}`)
      return answer
    },
  }
}

// A command keeps in it which exchange a key belongs to.
const home = mkdtempSync(join(tmpdir(), 'openperp-home-'))
process.once('exit', () => rmSync(home, { recursive: true, force: true }))

/** Nothing of the tester's own keys, addresses and folders reaches it. */
function environmentOf(given: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('OPENPERP_'))
  return { ...Object.fromEntries(kept), HOME: home, ...given }
}

const ranAsProcess = new Set<string | undefined>()

export function openperp(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const [name] = args
  if (ranAsProcess.has(name) || options.answers !== undefined) return runHere(args, options)
  ranAsProcess.add(name)
  return runProcess(args, options)
}

async function runHere(args: readonly string[], options: RunOptions): Promise<Ran> {
  let out = ''
  let err = ''
  const code = await runCli(args, {
    commands: allCommands,
    environment: environmentOf(options.environment),
    out: {
      write: (text) => {
        out += text
      },
    },
    err: {
      write: (text) => {
        err += text
      },
    },
    keyboard: options.answers === undefined ? null : keyboardOf(options.answers),
    signal: new AbortController().signal,
    version,
  })
  return { code, out, err }
}

async function runProcess(args: readonly string[], options: RunOptions): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...args], {
    env: environmentOf(options.environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 180_000,
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text
  })
  const [code, signal] = await once(child, 'close')
  if (code === null) throw new Error(`openperp ${args.join(' ')} was ended by ${signal}: ${err}`)
  return { code, out, err }
}

/** With --json; the output must be JSON whatever the exit code. */
export async function openperpJson<T = Record<string, unknown>>(
  args: readonly string[],
  options: RunOptions = {},
): Promise<Readonly<{ code: number; json: T }>> {
  const { code, out, err } = await openperp([...args, '--json'], options)
  try {
    return { code, json: JSON.parse(out) as T }
  } catch {
    throw new Error(`openperp ${args.join(' ')} printed no JSON (exit ${code}): ${out}${err}`)
  }
}
