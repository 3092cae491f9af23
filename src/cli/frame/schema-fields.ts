// The request of an operation as arguments and flags: made from its schema, and read back from what
// was typed.

import type { Argument, Option, Values } from './command.ts'
import { CliError, misused } from './exit-codes.ts'

/** How the fields of an operation are typed. */
export type Wording = Readonly<{
  /** Fields without a flag, in this order behind the name of the command. */
  behind?: readonly string[]
  /** The field whose own fields are flags. */
  spreads?: string
  /** Fields with a fixed value. */
  gives?: Readonly<Record<string, unknown>>
}>

export type Schema = Readonly<{
  type?: string
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  description?: string
}>

type Kind = 'text' | 'whole' | 'boolean' | 'json'

export type Field = Readonly<{
  name: string
  kind: Kind
  /** All values that it may have, or `null`. */
  words: readonly string[] | null
  required: boolean
  /** `null` is a value of it. */
  nullable: boolean
  about: string
  /** The field that it is a part of; null: of the body itself. */
  within: string | null
}>

/** What may be typed: every field without a fixed value. */
export function fieldsOf(request: Schema, { spreads, gives = {} }: Wording): readonly Field[] {
  const own = fieldsIn(request, null).filter(({ name }) => !(name in gives) && name !== spreads)
  const spread = spreads === undefined ? undefined : request.properties?.[spreads]
  return spread === undefined ? own : [...own, ...fieldsIn(spread, spreads!)]
}

function fieldsIn({ properties = {}, required = [] }: Schema, within: string | null) {
  return Object.entries(properties).map(([name, schema]): Field => {
    const inner = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
    const about = schema.description ?? inner.description ?? ''
    const words = inner.enum === undefined ? null : inner.enum.map(String)
    return {
      name,
      kind: kindOf(inner),
      words,
      required: required.includes(name),
      nullable: inner !== schema,
      about: [words?.join(', ') ?? '', about].filter((part) => part !== '').join('; '),
      within,
    }
  })
}

function kindOf({ type, enum: words }: Schema): Kind {
  if (type === 'integer' || words?.every((word) => typeof word === 'number')) return 'whole'
  if (type === 'boolean') return 'boolean'
  return type === 'array' || type === 'object' ? 'json' : 'text'
}

export const flagOf = (name: string) => name.replaceAll('_', '-')

const placeholders: Readonly<Record<Kind, string | null>> = {
  text: '<text>',
  whole: '<number>',
  boolean: null,
  json: '<JSON>',
}

export function optionOf({ kind, about, required }: Field): Option {
  const value = placeholders[kind]
  const must = required && kind !== 'boolean' ? 'required' : ''
  const text = [must, about].filter((part) => part !== '').join('; ')
  return value === null ? { about: text } : { value, about: text }
}

export function argumentOf({ name, about, required }: Field): Argument {
  return { name: flagOf(name), about: about, required }
}

/** The body of what was typed. Checks types and enums; the server checks the rest. */
export function bodyOf(
  fields: readonly Field[],
  { behind = [], gives = {} }: Wording,
  typed: Readonly<{ values: Values<Record<string, Option>>; words: readonly string[] }>,
): Readonly<Record<string, unknown>> {
  const body: Record<string, unknown> = { ...gives }
  for (const field of fields) {
    const at = behind.indexOf(field.name)
    const flag = flagOf(field.name)
    const value =
      at === -1
        ? valueIn(field, `--${flag}`, typed.values[flag])
        : valueIn(field, flag, typed.words[at])
    if (value === undefined) continue
    if (field.within === null) body[field.name] = value
    else body[field.within] = { ...(body[field.within] as object), [field.name]: value }
  }
  return body
}

/** `label`: what a refusal calls the field. */
function valueIn(
  { kind, words, required, nullable }: Field,
  label: string,
  given: string | boolean | undefined,
): unknown {
  if (nullable && given === 'null') return null
  if (kind === 'boolean') return given ?? (required ? false : undefined)
  if (given === undefined) {
    if (required) throw misused(`${label} is required`, '--help lists all flags')
    return undefined
  }
  const text = String(given)
  if (words !== null && !words.includes(text))
    throw misused(`${label} must be one of ${words.join(', ')}, not ${text}`)
  if (kind === 'text') return text
  if (kind === 'whole') {
    if (/^-?\d{1,15}$/.test(text)) return Number.parseInt(text, 10)
    throw misused(`${label} must be a whole number, not ${text}`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const hint = `in single quotes: '[{"…": …}]'`
    throw new CliError('misused', `${label} must be JSON: ${(error as Error).message}`, { hint })
  }
}
