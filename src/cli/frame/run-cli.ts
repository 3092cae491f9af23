// From what was typed to an exit code: finds the command, reads its flags, runs it and shows what
// it gives or why it could not.

import { readArguments } from './arguments.ts'
import type { Command, Result } from './command.ts'
import { CliError, exitCodes, misused } from './exit-codes.ts'
import { commandHelp, wholeHelp } from './help.ts'
import { nearWord } from './near-word.ts'
import { type Environment, Screen, type Stream } from './screen.ts'

export type CliParts = Readonly<{
  commands: readonly Command[]
  environment: Environment
  out: Stream
  err: Stream
  signal: AbortSignal
  version: string
}>

/** The exit code of the run. */
export async function runCli(args: readonly string[], parts: CliParts): Promise<number> {
  const json = args.includes('--json')
  const screen = new Screen(parts, parts.environment, json)
  try {
    const result = await runCommand(args, parts, screen)
    screen.endProgress()
    if (result === null) return exitCodes.yes
    if (json) screen.line(JSON.stringify(result.json))
    else for (const line of result.lines) screen.line(line)
    return exitCodes[result.end ?? 'yes']
  } catch (error) {
    screen.endProgress()
    if (!(error instanceof CliError)) throw error
    tell(error, screen)
    return exitCodes[error.kind]
  }
}

async function runCommand(
  [name, ...rest]: readonly string[],
  { commands, environment, signal, version }: CliParts,
  screen: Screen,
): Promise<Result | null> {
  const help = (text: string): Result => ({ json: { help: text }, lines: [text] })
  if (name === undefined) return { ...help(wholeHelp(commands)), end: 'misused' }
  if (name === '--version') return { json: { version }, lines: [version] }
  if (name === '--help' || name === '-h') return help(wholeHelp(commands))
  if (name === 'help')
    return help(rest[0] === undefined ? wholeHelp(commands) : commandHelp(find(commands, rest[0])))
  const command = find(commands, name)
  if (rest.includes('--help') || rest.includes('-h')) return help(commandHelp(command))
  const read = command.raw ? { values: {}, words: rest } : readArguments(command, rest)
  return command.run({ ...read, screen, environment, signal })
}

function find(commands: readonly Command[], name: string): Command {
  const found = commands.find((each) => each.name === name)
  if (found !== undefined) return found
  const near = nearWord(
    name,
    commands.map((each) => each.name),
  )
  throw misused(
    `there is no command ${name}${near === null ? '' : `; did you mean ${near}?`}`,
    'openperp --help lists all commands',
  )
}

function tell({ kind, message, hint, facts }: CliError, screen: Screen): void {
  if (screen.json) {
    const error = { kind, exit: exitCodes[kind], message, ...(hint !== null && { hint }), ...facts }
    screen.line(JSON.stringify({ error }))
    return
  }
  screen.remark(`${screen.paint('red', 'openperp:')} ${message}`)
  if (hint !== null) screen.remark(hint)
}
