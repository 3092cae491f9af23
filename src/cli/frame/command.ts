// A subcommand, declared once: its help, its flags and its action. The help texts and the page
// docs/operating/cli.md are made from these objects.

import type { ExitKind } from './exit-codes.ts'
import type { Environment, Screen } from './screen.ts'

export type Option = Readonly<{
  /** Value name in the help: `<price>`. A flag without one is a switch. */
  value?: string
  /** One letter: `-o` for `--out`. */
  short?: string
  /** Whether it may be given several times; its value is a list then. */
  multiple?: true
  about: string
}>
export type Options = Readonly<Record<string, Option>>

export type Values<O extends Options> = {
  readonly [Name in keyof O]?: ValueOf<Exclude<O[Name], undefined>>
}
type ValueOf<O extends Option> =
  O extends Readonly<{ value: string }>
    ? O extends Readonly<{ multiple: true }>
      ? readonly string[]
      : string
    : 'value' extends keyof O
      ? string | boolean
      : boolean

export type Argument = Readonly<{ name: string; about: string; required?: boolean }>

export const groups = ['exchange', 'keys', 'trading', 'sandbox', 'operating', 'data'] as const
export type Group = (typeof groups)[number]

/** The final output; `null` if it has been written already. */
export type Result = Readonly<{
  json: unknown
  lines: readonly string[]
  /** Default: `yes`. */
  end?: ExitKind
}>

export type Call<O extends Options = Options> = Readonly<{
  values: Values<O>
  /** The given arguments; required ones are present. */
  words: readonly string[]
  screen: Screen
  /** For questions; `null` without a terminal. */
  keyboard: Keyboard | null
  environment: Environment
  /** Aborted when the run is interrupted (Ctrl-C). */
  signal: AbortSignal
}>

/** Asks on the terminal; rejects when the run is interrupted. */
export type Keyboard = Readonly<{ ask(question: string): Promise<string> }>

type Spec<O extends Options> = Readonly<{
  name: string
  group: Group
  /** One line, no full stop. */
  summary: string
  /** More for its help, broken into lines there. */
  about?: string
  arguments?: readonly Argument[]
  options: O
  examples: readonly string[]
  /** Passes on all further arguments unchanged. */
  raw?: true
  /** A group of commands with a common name, without an action. */
  parts?: readonly Command[]
  /** The page of the command line lists its parts, and does not describe them. */
  briefly?: true
  run(call: Call<O>): Promise<Result | null>
}>

export type Command = Spec<Options>

/** A group of commands, whose parts have the actions. */
export function family(
  spec: Omit<Command, 'options' | 'run' | 'parts'> & Readonly<{ parts: readonly Command[] }>,
): Command {
  return { ...spec, options: {}, run: async () => null }
}

export function command<const O extends Options>(spec: Spec<O>): Command {
  return spec as unknown as Command
}

export const commonOptions = {
  json: { about: 'print JSON' },
  help: { about: 'show this help' },
} as const satisfies Options
