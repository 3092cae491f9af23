// Help texts, made from the commands themselves.

import { type Command, commonOptions, type Group, groups, type Options } from './command.ts'
import { type ExitKind, exitCodes, exitMeanings } from './exit-codes.ts'

export const titles: Readonly<Record<Group, string>> = {
  exchange: 'Run one',
  keys: 'Keys',
  trading: 'Trade',
  sandbox: 'Control a sandbox',
  operating: 'Operate a venue',
  data: 'Inspect the data (no exchange needed)',
}

export function usageOf({ name, arguments: words = [], raw, parts }: Command): string {
  if (parts !== undefined) return `openperp ${name} <what> [arguments] [flags]`
  const shown = words.map((word) => (word.required === true ? `<${word.name}>` : `[${word.name}]`))
  return ['openperp', name, ...shown, raw ? '[settings]' : '[flags]'].join(' ')
}

export function wholeHelp(commands: readonly Command[]): string {
  const lines = [
    'openperp: a perpetual-futures exchange, from the command line',
    '',
    'usage: openperp <command> [arguments] [flags]',
    '',
  ]
  const width = Math.max(...commands.map(({ name }) => name.length))
  for (const group of groups) {
    const members = commands.filter((each) => each.group === group)
    if (members.length === 0) continue
    lines.push(titles[group])
    for (const { name, summary } of members) lines.push(`  ${name.padEnd(width)}  ${summary}`)
    lines.push('')
  }
  lines.push('Every command has --help with examples, and --json for programs.', '')
  lines.push('Exit codes')
  for (const kind of Object.keys(exitCodes) as ExitKind[])
    lines.push(`  ${exitCodes[kind]}  ${exitMeanings[kind]}`)
  lines.push('', 'Environment', ...environmentLines, '')
  lines.push('First steps: `openperp start`, and in a second terminal `openperp markets`,')
  lines.push('`openperp order BTC bid 0.01 --key alice`, `openperp positions --key alice`.')
  return lines.join('\n')
}

const environmentLines = [
  '  OPENPERP_URL       address of the exchange, or several: a,b (default: http://127.0.0.1:8080)',
  '  OPENPERP_KEY       secret key in base58, or alice or bob of a sandbox',
  '  OPENPERP_KEY_FILE  file with the secret key (default: ~/.openperp/key)',
  '  OPENPERP_VENUE     venue that texts name, or none (default: that of the key)',
  '  OPENPERP_DATA      data folder (default: ./data)',
  '  OPENPERP_ADMIN_URL, OPENPERP_ADMIN_PORT, OPENPERP_ADMIN_TOKEN, OPENPERP_ADMIN_TOKEN_FILE',
  '                     of `openperp admin`',
  '  NO_COLOR           no colours',
]

export function commandHelp(command: Command): string {
  const { summary, about, examples, arguments: words = [] } = command
  const lines = [...wrapped(summary), '', `usage: ${usageOf(command)}`]
  if (about !== undefined) lines.push('', ...wrapped(about))
  if (words.length > 0) {
    const width = Math.max(...words.map(({ name }) => name.length))
    lines.push('', 'Arguments')
    for (const { name, about: text } of words) lines.push(...hanging(name.padEnd(width), text))
  }
  if (command.parts !== undefined) lines.push('', 'What', ...partLines(command.parts))
  else if (command.raw === undefined)
    lines.push('', 'Flags', ...optionLines({ ...command.options, ...commonOptions }))
  lines.push('', 'Examples', ...examples.map((example) => `  ${example}`))
  return lines.join('\n')
}

function partLines(parts: readonly Command[]): string[] {
  const width = Math.max(...parts.map(({ name }) => name.length))
  return parts.flatMap(({ name, summary }) => hanging(name.padEnd(width), summary))
}

const lineMax = 110

/** A name and its meaning, wrapped in a column next to it. */
function hanging(name: string, text: string): readonly string[] {
  const [first = '', ...rest] = wrapped(text, Math.max(40, lineMax - name.length - 4))
  const indent = ' '.repeat(name.length + 4)
  return [`  ${name}  ${first}`.trimEnd(), ...rest.map((line) => indent + line)]
}

const widthMax = 92

function wrapped(text: string, most = widthMax): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > most) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

function optionLines(options: Options): string[] {
  const shown = Object.entries(options).map(([name, { short, value, about }]) => ({
    flag: `${short ? `-${short}, ` : ''}--${name}${value === undefined ? '' : ` ${value}`}`,
    about,
  }))
  const width = Math.max(...shown.map(({ flag }) => flag.length))
  return shown.flatMap(({ flag, about }) => hanging(flag.padEnd(width), about))
}
