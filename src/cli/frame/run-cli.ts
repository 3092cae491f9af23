// Runs the command line: finds the command, parses its flags, runs it, shows its result or error,
// and returns the exit code.

import { readArguments } from './arguments.ts'
import type { Command, Keyboard, Result } from './command.ts'
import { CliError, exitCodes, misused } from './exit-codes.ts'
import { commandHelp, wholeHelp } from './help.ts'
import { nearWord } from './near-word.ts'
import { type Environment, Screen, type Stream } from './screen.ts'
import { systemRefusal } from './system-refusal.ts'

export type CliParts = Readonly<{
  commands: readonly Command[]
  environment: Environment
  out: Stream
  err: Stream
  /** `null` without a terminal. */
  keyboard: Keyboard | null
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
    const failure = error instanceof CliError ? error : systemRefusal(error)
    if (failure === null) throw error
    report(failure, screen)
    return exitCodes[failure.kind]
  }
}

async function runCommand(
  args: readonly string[],
  { commands, keyboard, environment, signal, version }: CliParts,
  screen: Screen,
): Promise<Result | null> {
  const help = (text: string): Result => ({ json: { help: text }, lines: [text] })
  const [name] = args
  if (name === undefined) return { ...help(wholeHelp(commands)), end: 'misused' }
  if (name === '--version') return { json: { version }, lines: [version] }
  if (name === '--help' || name === '-h') return help(wholeHelp(commands))
  const asksHelp = name === 'help' || args.includes('--help') || args.includes('-h')
  if (name === 'help' && args.length === 1) return help(wholeHelp(commands))
  const { command, rest } = found(commands, name === 'help' ? args.slice(1) : args)
  if (asksHelp) return help(commandHelp(command))
  if (command.parts !== undefined) return unfinished(command, rest)
  const read = command.raw ? { values: {}, words: rest } : readArguments(command, rest)
  return command.run({ ...read, screen, keyboard, environment, signal })
}

type Found = Readonly<{ command: Command; rest: readonly string[] }>

/** The longest matching words of a command. */
function found(commands: readonly Command[], [name, ...rest]: readonly string[]): Found {
  const command = commands.find((each) => each.name === name)
  if (command === undefined) throw unknown(`there is no command ${name}`, name!, commands)
  const { parts = [] } = command
  const said = parts.filter((part) => startsWith(rest, wordsOf(command, part)))
  const part = said.sort((one, other) => other.name.length - one.name.length)[0]
  if (part === undefined) return { command, rest }
  return { command: part, rest: rest.slice(wordsOf(command, part).length) }
}

const wordsOf = (command: Command, { name }: Command) =>
  name.slice(command.name.length + 1).split(' ')

const startsWith = (words: readonly string[], begin: readonly string[]) =>
  begin.every((word, at) => words[at] === word)

/** The words are an incomplete command, or empty. */
function unfinished(command: Command, rest: readonly string[]): Result {
  const { name, parts = [] } = command
  // The word after a flag may be its value.
  const flag = rest.findIndex((word) => word.startsWith('-'))
  const words = rest.slice(0, flag < 0 ? 2 : Math.min(flag, 2))
  if (words.length === 0) {
    const text = commandHelp(command)
    return { json: { help: text }, lines: [text], end: 'misused' }
  }
  const begun = parts.filter((part) => wordsOf(command, part)[0] === words[0])
  if (begun.length > 0)
    throw misused(
      `${name} ${words.join(' ')} is not a command`,
      `available: ${begun.map((part) => part.name).join(', ')}`,
    )
  const said = words.join(' ')
  const near = nearWord(
    said,
    parts.map((part) => wordsOf(command, part).join(' ')),
  )
  const meant = near === null ? '' : `; did you mean ${name} ${near}?`
  throw misused(`${name} has no ${said}${meant}`, `openperp ${name} --help lists all it has`)
}

function unknown(problem: string, name: string, commands: readonly Command[]) {
  const near = nearWord(
    name,
    commands.map((each) => each.name),
  )
  const meant = near === null ? '' : `; did you mean ${near}?`
  return misused(`${problem}${meant}`, 'openperp --help lists all commands')
}

function report({ kind, message, hint, facts }: CliError, screen: Screen): void {
  if (screen.json) {
    const error = { kind, exit: exitCodes[kind], message, ...(hint !== null && { hint }), ...facts }
    screen.line(JSON.stringify({ error }))
    return
  }
  screen.remark(`${screen.paint('red', 'openperp:')} ${message}`)
  if (hint !== null) screen.remark(hint)
}
