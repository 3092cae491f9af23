// Bodies against their schemas, with an error that names the field and what is wanted.

import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { forms } from '../../protocol/schemas/field-types.ts'
import { apiError } from '../api-error.ts'

/** Throws MALFORMED_REQUEST when the value does not fit; `where` names what is checked. */
export type BodyCheck = (value: unknown, where: string) => void

export function bodyCheck(schema: TSchema): BodyCheck {
  const compiled = Compile(schema)
  return (value, where) => {
    if (compiled.Check(value)) return
    throw apiError('MALFORMED_REQUEST', explanation(compiled.Errors(value), where))
  }
}

const made = new WeakMap<TSchema, BodyCheck>()

/** The check of a schema, compiled when it is first wanted and then everyone's. */
export function bodyCheckOf(schema: TSchema): BodyCheck {
  let check = made.get(schema)
  if (check === undefined) {
    check = bodyCheck(schema)
    made.set(schema, check)
  }
  return check
}

type SchemaError = Readonly<{
  keyword: string
  instancePath: string
  params: object
  message: string
}>

/** The first error says most; branches of a union are told together, in the words of the field. */
function explanation(errors: readonly SchemaError[], where: string): string {
  const first = errors[0]
  if (first === undefined) return `${where} is not as documented`
  const path = pathToTell(errors, first.instancePath)
  const same = errors.filter(({ instancePath }) => instancePath === path)
  const wanted = [...new Set(same.map(wantedBy).filter((text) => text !== ''))]
  return `${pathOf(where, path)} ${joined(wanted)}`
}

/** In a union, the branch that the value came furthest in is the one that was meant. */
function pathToTell(errors: readonly SchemaError[], path: string): string {
  if (!errors.some(({ keyword, instancePath }) => keyword === 'anyOf' && instancePath === path))
    return path
  const inner = errors.map(({ instancePath }) => instancePath)
  return inner
    .filter((each) => each.startsWith(`${path}/`))
    .reduce((deepest, each) => (each.length > deepest.length ? each : deepest), path)
}

function joined(wanted: readonly string[]): string {
  const lacks = wanted.some((text) => text.startsWith('lacks '))
  const told = lacks ? wanted.filter((text) => text !== 'must be null') : wanted
  return told.join(' or ').replaceAll(' or must be ', ' or ').replaceAll(' or lacks ', ' or ')
}

function pathOf(where: string, instancePath: string): string {
  const inner = instancePath
    .split('/')
    .slice(1)
    .map((step) => (/^[0-9]+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
  return where === '' ? inner.replace(/^\./, '') || 'the request' : where + inner
}

function wantedBy({ keyword, params, message }: SchemaError): string {
  const facts = params as Readonly<Record<string, unknown>>
  switch (keyword) {
    case 'anyOf':
      return ''
    case 'required':
      return `lacks ${(facts.requiredProperties as readonly string[]).join(', ')}`
    case 'enum':
      return `must be one of ${(facts.allowedValues as readonly unknown[]).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(facts.allowedValue)}`
    case 'type':
      return facts.type === 'string' ? 'must be a string' : `must be ${facts.type}`
    case 'pattern':
      return `must be ${formOf(patternText(facts.pattern))}`
    default:
      return message
  }
}

function formOf(pattern: string): string {
  return forms[pattern] ?? `of the form ${pattern}`
}

/** Compiled schemas give the pattern itself or its text. */
function patternText(pattern: unknown): string {
  return pattern instanceof RegExp ? pattern.source : String(pattern)
}
