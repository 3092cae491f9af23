// A program under bench/ or test/: it declares what it does and its options in one object, and
// reads them before it does anything else. `--help` prints them; what does not fit is refused with
// exit code 2.

import { nearWord } from '../../../src/cli/frame/near-word.ts'
import type { Option } from './options.ts'

export type Options = Readonly<Record<string, Option<unknown>>>

export type Program<Declared extends Options> = Readonly<{
  /** As in scripts/programs.mjs. */
  name: string
  about: string
  options?: Declared
  /** Words without an option in front. */
  words?: Words
}>
type Words = Readonly<{
  name: string
  about: string
  count: 'one' | 'any'
  /** Other words are refused. */
  known?: readonly string[]
}>

export type Values<Declared extends Options> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Option<infer Value> ? Value : never
}
type Given<Declared extends Options> = Values<Declared> & Readonly<{ words: readonly string[] }>

/** What the program is given; with `--help` or a wrong option the process ends here. */
export function programOptions<Declared extends Options>(
  program: Program<Declared>,
  args: readonly string[] = process.argv.slice(2),
): Given<Declared> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(helpOf(program))
    process.exit(0)
  }
  try {
    refuseTakenByNpm(program)
    return valuesOf(program, args)
  } catch (error) {
    if (!(error instanceof Misuse)) throw error
    console.error(`${program.name}: ${error.message}`)
    console.error(`npm run x ${program.name} -- --help lists what it accepts`)
    process.exit(2)
  }
}

class Misuse extends Error {}

const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, (big) => `-${big.toLowerCase()}`)}`

const flagsOf = ({ options = {} }: Program<Options>) =>
  new Map(Object.entries(options).map(([name, option]) => [flagOf(name), { name, option }]))

/** Without `--` in front of them npm keeps options for itself. */
function refuseTakenByNpm(program: Program<Options>): void {
  if (!['x', 'bench'].includes(process.env.npm_lifecycle_event ?? '')) return
  for (const flag of flagsOf(program).keys()) {
    const variable = `npm_config_${flag.slice(2).replaceAll('-', '_')}`
    if (process.env[variable] !== undefined)
      throw new Misuse(`npm did not pass ${flag} on: write "--" in front of the options`)
  }
}

export function valuesOf<Declared extends Options>(
  program: Program<Declared>,
  args: readonly string[],
): Given<Declared> {
  const flags = flagsOf(program)
  const values: Record<string, unknown> = { words: [] as string[] }
  for (const { name, option } of flags.values()) values[name] = option.initial
  const words: string[] = []
  const given = new Set<string>()
  const rest = args.filter((arg) => arg !== '--')
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (!arg.startsWith('-')) {
      words.push(arg)
      continue
    }
    const [flag = '', joined] = splitAtEqualSign(arg)
    const known = flags.get(flag)
    if (known === undefined) throw new Misuse(unknownText(flag, [...flags.keys()]))
    if (given.has(flag)) throw new Misuse(`${flag} was given twice`)
    given.add(flag)
    const { name, option } = known
    if (option.placeholder !== null) values[name] = read(flag, option, joined ?? rest.shift())
    else if (joined === undefined) values[name] = true
    else throw new Misuse(`${flag} takes no value; '${joined}' was given`)
  }
  requireWords(program.words, words)
  return { ...values, words } as unknown as Given<Declared>
}

function splitAtEqualSign(arg: string): readonly string[] {
  const at = arg.indexOf('=')
  return at < 0 ? [arg] : [arg.slice(0, at), arg.slice(at + 1)]
}

function unknownText(flag: string, known: readonly string[]): string {
  const near = nearWord(flag, known)
  return `unknown option ${flag}${near === null ? '' : `; did you mean ${near}?`}`
}

function read(flag: string, option: Option<unknown>, text: string | undefined): unknown {
  if (text === undefined || text.startsWith('--')) throw new Misuse(`${flag} needs a value`)
  const value = option.read(text)
  if (value !== undefined) return value
  throw new Misuse(`${flag} must be ${option.accepts}; '${text}' was given`)
}

function requireWords(wanted: Words | undefined, words: readonly string[]): void {
  const max = wanted === undefined ? 0 : wanted.count === 'one' ? 1 : words.length
  if (words.length > max) throw new Misuse(`unexpected argument '${words[max]}'`)
  if (wanted?.count === 'one' && words.length === 0)
    throw new Misuse(`${wanted.name} is missing (${wordsAbout(wanted)})`)
  for (const word of words)
    if (wanted?.known?.includes(word) === false)
      throw new Misuse(`'${word}' is not a ${wanted.name}; there are ${wanted.known.join(', ')}`)
}

const width = 92

/** Lines of at most `width`, from the second on with this many spaces in front. */
function wrapped(text: string, indent = 0): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    const room = width - indent
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? word : ` ${word}`
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}

export function helpOf({ name, about, options = {}, words }: Program<Options>): string {
  const rows = Object.entries(options).map(([key, option]): readonly [string, string] => [
    `${flagOf(key)}${option.placeholder === null ? '' : ` ${option.placeholder}`}`,
    `${option.about}${initialText(option)}`,
  ])
  rows.push(['--help', 'show this help'])
  if (words !== undefined) rows.unshift([wordText(words), wordsAbout(words)])
  const wide = Math.max(...rows.map(([left]) => left.length))
  const word = words === undefined ? '' : `${wordText(words)} `
  return [
    name,
    '',
    wrapped(about),
    '',
    `Usage: npm run x ${name} -- ${word}[options]`,
    '',
    ...rows.map(([left, right]) => `  ${left.padEnd(wide)}  ${wrapped(right, wide + 4)}`),
  ].join('\n')
}

const wordText = ({ name, count }: Words) => (count === 'one' ? `<${name}>` : `[${name} …]`)

const wordsAbout = ({ about, known }: Words) =>
  known === undefined ? about : `${about}: ${known.join(', ')}`

function initialText({ initial, initially }: Option<unknown>): string {
  if (initially !== undefined) return ` (default: ${initially})`
  return [null, false, ''].includes(initial as null) ? '' : ` (default: ${initial})`
}
