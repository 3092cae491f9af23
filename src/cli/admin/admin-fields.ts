// What an operation of the admin plane takes, as words and flags: made from its schema, and back
// from what was typed.

import type { Argument, Option, Values } from '../frame/command.ts'
import { CliError, misused } from '../frame/exit-codes.ts'
import type { Body } from './admin-plane.ts'
import type { CommandSpec } from './admin-words.ts'

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
  required: boolean
  /** `null` is a value of it. */
  nullable: boolean
  about: string
  /** The field that it is a part of; null: of the body itself. */
  within: string | null
}>

/** What may be typed, without what the words give by themselves. */
export function fieldsOf(request: Schema, { spreads, gives = {} }: CommandSpec): readonly Field[] {
  const own = fieldsIn(request, null).filter(({ name }) => !(name in gives) && name !== spreads)
  const spread = spreads === undefined ? undefined : request.properties?.[spreads]
  return spread === undefined ? own : [...own, ...fieldsIn(spread, spreads!)]
}

function fieldsIn({ properties = {}, required = [] }: Schema, within: string | null) {
  return Object.entries(properties).map(([name, schema]): Field => {
    const inner = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
    const about = schema.description ?? inner.description ?? ''
    const words = inner.enum === undefined ? [] : [inner.enum.join(', ')]
    return {
      name,
      kind: kindOf(inner),
      required: required.includes(name),
      nullable: inner !== schema,
      about: [...words, ...(about === '' ? [] : [about])].join('; '),
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
  if (value === null) return { type: 'boolean', about: text }
  return { type: 'string', value, about: text }
}

export function argumentOf({ name, about, required }: Field): Argument {
  return { name: flagOf(name), about: about, required }
}

/** The body of what was typed. Only what the shell can get wrong is looked at: the plane checks the
 *  rest, and says what it takes. */
export function bodyOf(
  fields: readonly Field[],
  { behind = [], gives = {} }: CommandSpec,
  typed: Readonly<{ values: Values<Record<string, Option>>; words: readonly string[] }>,
): Body {
  const body: Record<string, unknown> = { ...gives }
  for (const field of fields) {
    const at = behind.indexOf(field.name)
    const given = at === -1 ? typed.values[flagOf(field.name)] : typed.words[at]
    const value = valueIn(field, given)
    if (value === undefined) continue
    if (field.within === null) body[field.name] = value
    else body[field.within] = { ...(body[field.within] as object), [field.name]: value }
  }
  return body
}

function valueIn(field: Field, given: string | boolean | undefined): unknown {
  const { name, kind, required, nullable } = field
  const flag = flagOf(name)
  if (nullable && given === 'null') return null
  if (kind === 'boolean') return given ?? (required ? false : undefined)
  if (given === undefined) {
    if (required) throw misused(`--${flag} is required`, '--help lists all flags')
    return undefined
  }
  const text = String(given)
  if (kind === 'text') return text
  if (kind === 'whole') {
    if (/^-?\d{1,15}$/.test(text)) return Number.parseInt(text, 10)
    throw misused(`${flag} must be a whole number, not ${text}`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const hint = `in single quotes: '[{"…": …}]'`
    throw new CliError('misused', `${flag} must be JSON: ${(error as Error).message}`, { hint })
  }
}
