// The command line: all commands, including `start`, which runs the exchange.

import { admin } from '../cli/admin/admin.ts'
import { doctorCommand } from '../cli/doctor.ts'
import { misused } from '../cli/frame/exit-codes.ts'
import { keyboardOf } from '../cli/frame/keyboard.ts'
import { nearWord } from '../cli/frame/near-word.ts'
import { runCli } from '../cli/frame/run-cli.ts'
import { whenNpxEnds } from '../cli/launched-by-npx.ts'
import { mcpCommand } from '../cli/mcp/mcp.ts'
import { offlineCommands } from '../cli/offline/offline-commands.ts'
import { onlineCommands } from '../cli/online-commands.ts'
import { startCommand } from '../cli/start.ts'
import { settingsIn, usualFileIn } from '../config/config-files.ts'
import { type SettingName, variableOf } from '../config/settings.ts'
import { ConfigError, readConfig } from '../config.ts'
import { version } from '../gateway/documents/version.ts'

/** `start` is handled by `main.ts`, which reads the flags from the process and exits by itself. */
const start = startCommand(async (flags) => {
  requireSettings(flags)
  process.argv.splice(2, process.argv.length, ...flags)
  whenNpxEnds(process.env, () => process.kill(process.pid, 'SIGTERM'))
  await import('../main.ts')
  return new Promise<never>(() => undefined)
})

const doctor = doctorCommand(async (request) => {
  const { examine } = await import('./doctor/examine.ts')
  return examine(request)
})

/** Reports invalid settings as a usage error, and suggests a similar flag for an unknown one. */
function requireSettings(flags: readonly string[]): void {
  try {
    readConfig(flags, process.env, process.cwd())
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [, flag, known] =
      /^there is no flag (--[\w-]+); there are (.*)$/.exec(error.message) ?? []
    const near = flag === undefined ? null : nearWord(flag, known!.split(', '))
    if (near === null) throw misused(error.message, 'docs/operating/running.md has every setting')
    throw misused(`start has no flag ${flag}; did you mean ${near}?`, `its flags: ${known}`)
  }
}

/** All commands of the program, in the order of the help. */
export const allCommands = [
  start,
  doctor,
  ...onlineCommands,
  mcpCommand(() => process.stdin, version),
  admin,
  ...offlineCommands,
]

/** Lets commands that run in the folder of a venue find the exchange on its configured ports. */
export function environmentIn(folder: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const file = usualFileIn(folder)
  if (file === undefined) return environment
  const given = new Map(settingsIn(file).map(({ name, value }) => [name, value]))
  const at = (port: SettingName, usual: number) =>
    `http://127.0.0.1:${environment[variableOf(port)] || (given.get(port) ?? usual)}`
  const found = { OPENPERP_URL: at('port', 8080), OPENPERP_ADMIN_URL: at('adminPort', 8081) }
  return { ...found, ...environment }
}

export async function main(args: readonly string[]): Promise<void> {
  const ending = new AbortController()
  // `start` handles SIGINT itself.
  if (args[0] !== 'start') process.once('SIGINT', () => ending.abort())
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of the output has closed the pipe, as in `openperp export … | head`.
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  process.exitCode = await runCli(args, {
    commands: allCommands,
    environment: environmentIn(process.cwd(), process.env),
    out: process.stdout,
    err: process.stderr,
    keyboard: keyboardOf(process.stdin, process.stderr, ending.signal),
    signal: ending.signal,
    version,
  })
}
