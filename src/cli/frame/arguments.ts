// Parses the arguments of a command. Errors name what is accepted.

import { parseArgs } from 'node:util'
import { type Command, commonOptions, type Options, type Values } from './command.ts'
import { misused } from './exit-codes.ts'
import { usageOf } from './help.ts'
import { nearWord } from './near-word.ts'

export type Read = Readonly<{ values: Values<Options>; words: readonly string[] }>

export function readArguments(command: Command, args: readonly string[]): Read {
  const options = { ...commonOptions, ...command.options }
  const { values, positionals } = parsed(command, options, args)
  const read = { values: values as Values<Options>, words: positionals }
  if (values.help !== true) requireWords(command, positionals)
  return read
}

function parsed(command: Command, options: Options, args: readonly string[]) {
  const kinds = Object.fromEntries(
    Object.entries(options).map(([name, { value, short, multiple }]) => [
      name,
      {
        type: value === undefined ? 'boolean' : 'string',
        ...(short !== undefined && { short }),
        ...(multiple && { multiple }),
      } as const,
    ]),
  )
  const parseOptions: ParseOptions = { args: [...args], options: kinds, allowPositionals: true }
  try {
    return parseArgs(parseOptions)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error
    const below = belowZero(command, parseOptions)
    if (below !== null) throw below
    const [, name] = /'--?([\w-]+)/.exec(message) ?? []
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && name !== undefined)
      throw unknownFlag(command, name, Object.keys(options))
    const wanted = name === undefined ? undefined : options[name]
    const value = wanted?.value !== undefined ? `a value: --${name} ${wanted.value}` : 'no value'
    throw misused(`--${name} takes ${value}`, `usage: ${usageOf(command)}`)
  }
}

type Kind = { type: 'string' | 'boolean'; short?: string; multiple?: boolean }
type ParseOptions = Readonly<{
  args: string[]
  options: Record<string, Kind>
  allowPositionals: true
}>

/** `-5` would be read as a flag; no positional argument or flag value may be negative. */
function belowZero(command: Command, parseOptions: ParseOptions) {
  const { tokens } = parseArgs({ ...parseOptions, strict: false, tokens: true })
  const isNegative = (text: string | undefined) => text !== undefined && /^-[\d.]/.test(text)
  const flags = tokens.filter((token) => token.kind === 'option')
  const valued = flags.find(({ value }) => isNegative(value))
  if (valued !== undefined) return negative(command, `--${valued.name}`, valued.value)
  const found = flags.find(({ index }) => isNegative(parseOptions.args[index]))
  if (found === undefined) return null
  const before = tokens.filter(({ kind, index }) => kind === 'positional' && index < found.index)
  const wanted = command.arguments?.[before.length]?.name ?? 'a number'
  return negative(command, wanted, parseOptions.args[found.index])
}

const negative = (command: Command, wanted: string, given: string | undefined) =>
  misused(`${wanted} must be positive, not ${given}`, `usage: ${usageOf(command)}`)

function unknownFlag(command: Command, name: string, names: readonly string[]) {
  const near = nearWord(name, names)
  const known = names.map((each) => `--${each}`).join(', ')
  return misused(
    `${command.name} has no flag --${name}${near === null ? '' : `; did you mean --${near}?`}`,
    `its flags: ${known}`,
  )
}

function requireWords(command: Command, words: readonly string[]): void {
  const wanted = command.arguments ?? []
  const missing = wanted.find(({ required }, at) => required === true && words[at] === undefined)
  if (missing !== undefined)
    throw misused(`${command.name} needs <${missing.name}>`, `usage: ${usageOf(command)}`)
  if (words.length > wanted.length)
    throw misused(
      `${command.name} does not know what to do with ${words[wanted.length]}`,
      `usage: ${usageOf(command)}`,
    )
}
