// Validates bodies against their schemas. Errors name the field and what is expected.

import { routeSchemas, userBodies } from '../../protocol/route-schemas.ts'
import { routes, type SignedName } from '../../protocol/routes.ts'
import { forms } from '../../protocol/schemas/field-types.ts'
import { Compile, type TSchema, Type } from '../../protocol/schemas/typebox.ts'
import { toleratedOf } from '../../protocol/tolerated-fields.ts'
import { apiError } from '../api-error.ts'
import { type BodyOperation, bodySchemaOf } from '../request-body.ts'
import { fieldCheck } from './known-fields.ts'

/** Throws MALFORMED_REQUEST if the value is invalid; `where` names the value. */
export type BodyCheck = (value: unknown, where: string) => void

export function bodyCheck(schema: TSchema): BodyCheck {
  const compiled = Compile(schema)
  return (value, where) => {
    if (compiled.Check(value)) return
    throw apiError('MALFORMED_REQUEST', explanation(compiled.Errors(value), value, where))
  }
}

/** A check that also rejects unknown fields. */
export function closedCheck(schema: TSchema, named: TSchema = schema): BodyCheck {
  const check = bodyCheck(schema)
  const fields = fieldCheck(named)
  return (value, where) => {
    check(value, where)
    const problem = fields(value, where)
    if (problem !== null) throw apiError('MALFORMED_REQUEST', problem)
  }
}

/** Validates a body with `user` against the contract's schema, if that differs. */
function requestCheck(operation: BodyOperation): BodyCheck {
  const check = formCheck(operation)
  const request = userBodies[operation.name]
  if (request === undefined) return check
  const userCheck = formCheck({ ...operation, request })
  return (value, where) => {
    const { user } = Object(value) as { user?: unknown }
    return user == null ? check(value, where) : userCheck(value, where)
  }
}

/** Validates the parameters of an operation: the query of a GET, from which unknown parameters
 *  have been removed, or a body, which must not have unknown fields. */
function formCheck(operation: BodyOperation): BodyCheck {
  if (operation.http.startsWith('GET')) return bodyCheck(operation.request)
  const tolerated = toleratedOf(operation.name)
  const extra = Object.fromEntries(tolerated.map(({ field, schema }) => [field, schema]))
  const { properties } = operation.request as unknown as { properties: Record<string, TSchema> }
  const check = closedCheck(Type.Object({ ...properties, ...extra }), bodySchemaOf(operation))
  const conditions = tolerated.flatMap(({ problemIn }) => problemIn ?? [])
  if (conditions.length === 0) return check
  return (value, where) => {
    check(value, where)
    for (const problemIn of conditions) {
      const problem = problemIn(value as never)
      if (problem !== null) throw apiError('MALFORMED_REQUEST', within(where, problem))
    }
  }
}

const within = (where: string, problem: string) => (where === '' ? problem : `${where}: ${problem}`)

/** Compiles a check at first use and caches it. */
function kept<From extends object>(make: (from: From) => BodyCheck): (from: From) => BodyCheck {
  const made = new WeakMap<From, BodyCheck>()
  return (from) => {
    let check = made.get(from)
    if (check === undefined) {
      check = make(from)
      made.set(from, check)
    }
    return check
  }
}

export const requestCheckOf = kept(requestCheck)
export const signedCheckOf = (name: SignedName) =>
  requestCheck({ ...routes[name], ...routeSchemas[name] })
/** Validates a body without the signature fields. */
export const unsignedCheckOf = (name: SignedName) =>
  requestCheck({ ...routes[name], ...routeSchemas[name], signs: null })
export const closedCheckOf = kept((schema: TSchema) => closedCheck(schema))

type SchemaError = Readonly<{
  keyword: string
  instancePath: string
  params: object
  message: string
}>

/** Formats the errors of a value. The first error is the most specific; the branches of a union
 *  are combined into one message. */
function explanation(errors: readonly SchemaError[], value: unknown, where: string): string {
  const first = errors[0]
  if (first === undefined) return `${where} is not as documented`
  const path = reportedPath(errors, first.instancePath)
  const [, parent, name] = /^(.*)\/([^/]*)$/.exec(path) ?? []
  // A null field counts as absent, except where null is a valid value.
  if (name !== undefined && !/^[0-9]+$/.test(name) && valueAt(value, path) === null)
    return `${pathOf(where, parent!)} lacks ${name}`
  const here = errors.filter(({ instancePath }) => instancePath === path)
  // The value has the right type but is out of bounds, so that a hint that null is accepted would
  // not help.
  const isBounded = here.some(({ keyword }) => !['anyOf', 'type', 'const'].includes(keyword))
  const bounded = isBounded ? here.filter(({ params }) => typeOf(params) !== 'null') : here
  // If the length is wrong, only the length is reported.
  const ofLength = bounded.filter(({ keyword }) => /^m(in|ax)Length$/.test(keyword))
  const same = ofLength.length > 0 ? ofLength : bounded
  const wanted = [...new Set(same.map(wantedBy).filter((text) => text !== ''))]
  return `${pathOf(where, path)} ${joined(wanted)}${givenText(valueAt(value, path), same)}`
}

/** Describes the actual value. Text is not repeated, only its length, because clients choose their
 *  error class by words in a message. */
function givenText(value: unknown, errors: readonly SchemaError[]): string {
  const has = (keywords: RegExp) => errors.some(({ keyword }) => keywords.test(keyword))
  const isWhole = errors.some(({ params }) => typeOf(params) === 'integer')
  if (typeof value === 'number')
    return isWhole || has(/^(minimum|maximum)$/) ? `, not ${value}` : ''
  return has(/^m(in|ax)(Length|Items)$/)
    ? `, there are ${(value as string | readonly unknown[]).length}`
    : ''
}

const typeOf = (params: object) => (params as Readonly<{ type?: unknown }>).type

function valueAt(value: unknown, path: string): unknown {
  const steps = path.split('/').slice(1)
  return steps.reduce((at, step) => (at as Record<string, unknown> | null)?.[step], value)
}

/** The path to report. In a union, the branch with the deepest error is taken as the intended
 *  one. */
function reportedPath(errors: readonly SchemaError[], path: string): string {
  if (!errors.some(({ keyword, instancePath }) => keyword === 'anyOf' && instancePath === path))
    return path
  const inner = errors.map(({ instancePath }) => instancePath)
  return inner
    .filter((each) => each.startsWith(`${path}/`))
    .reduce((deepest, each) => (each.length > deepest.length ? each : deepest), path)
}

/** Errors that do not help if an object lacks a field. */
const otherForms = new Set(['must be null', 'must be array'])

function joined(wanted: readonly string[]): string {
  const lacks = wanted.some((text) => text.startsWith('lacks '))
  const shown = lacks ? wanted.filter((text) => !isUnhelpful(text, wanted)) : wanted
  return shown.join(' or ').replaceAll(' or must be ', ' or ').replaceAll(' or lacks ', ' or ')
}

/** Whether the error concerns another branch, or one with more missing fields than another. */
function isUnhelpful(text: string, wanted: readonly string[]): boolean {
  const fields = lackedBy(text)
  return (
    otherForms.has(text) ||
    wanted.map(lackedBy).some((less) => {
      const isPart = less.length > 0 && less.length < fields.length
      return isPart && less.every((field) => fields.includes(field))
    })
  )
}

const lackedBy = (text: string) =>
  text.startsWith('lacks ') ? text.slice('lacks '.length).split(', ') : []

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
      return `must be ${typeNames[String(facts.type)] ?? facts.type}`
    case 'pattern':
      return `must be ${formOf(patternText(facts.pattern))}`
    default:
      return message
  }
}

const typeNames: Readonly<Record<string, string>> = { string: 'a string', object: 'an object' }

function formOf(pattern: string): string {
  return forms[pattern] ?? `of the form ${pattern}`
}

/** The text of a pattern, which a compiled schema has as text or as a RegExp. */
function patternText(pattern: unknown): string {
  return pattern instanceof RegExp ? pattern.source : String(pattern)
}
