// Converts schemas to Python types. Objects become classes of their own (`TypedDict`), with the
// descriptions of the reference as docstrings.

import { meaningOf } from '../../gateway/documents/fields.ts'
import { isDecimal, type Schema } from './python-forms.ts'
import { docstring, sentence } from './python-text.ts'

/** Decimals of a reply are read, those of a request may be given in several types. */
type Direction = 'request' | 'reply'

/** Words that cannot be the name of a field or a parameter. */
const reserved = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except ' +
    'finally for from global if import in is lambda nonlocal not or pass raise return try while ' +
    'with yield self'
  ).split(' '),
)

export function requireName(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name) && !reserved.has(name)) return name
  throw new Error(`${name} cannot be a name in Python`)
}

/** `create_order` becomes `CreateOrder`, `lastUsed` becomes `LastUsed`. */
export const className = (name: string) =>
  name
    .split('_')
    .map((part) => `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`)
    .join('')

/** The classes of a module, in the order in which they are needed. */
export class PythonTypes {
  readonly #classes = new Map<string, string>()
  /** Prefix of the names of the classes, such as `schemas.`. */
  readonly prefix: string

  constructor(prefix: string) {
    this.prefix = prefix
  }

  get classes(): readonly string[] {
    return [...this.#classes.values()]
  }

  /** The type of a schema; `name` is that of its class if it is an object. */
  typeOf(schema: Schema, name: string, direction: Direction): string {
    const type = this.#typeOf(schema, name, direction)
    return type.replaceAll('§', this.prefix)
  }

  #typeOf(schema: Schema, name: string, direction: Direction): string {
    const { anyOf, items, properties, patternProperties, type } = schema
    const list = direction === 'request' ? 'Sequence' : 'List'
    const inner = (each: Schema) => this.#typeOf(each, name, direction)
    if (anyOf !== undefined) return unionOf(this.#branches(anyOf, name, direction))
    if (schema.const !== undefined) return literalType([schema.const])
    if (schema.enum !== undefined) return literalType(schema.enum)
    if (isDecimal(schema)) return direction === 'request' ? 'DecimalLike' : 'Decimal'
    if (Array.isArray(items)) {
      const each = [...new Set((items as readonly Schema[]).map(inner))]
      return `${list}[${unionOf(each)}]`
    }
    if (type === 'array') return `${list}[${items === undefined ? 'Any' : inner(items)}]`
    if (properties !== undefined && Object.keys(properties).length > 0)
      return this.#classOf(schema, name, direction)
    const pattern = Object.values(patternProperties ?? {})[0]
    const map = direction === 'request' ? 'Mapping' : 'Dict'
    if (type === 'object') return `${map}[str, ${pattern === undefined ? 'Any' : inner(pattern)}]`
    return { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[
      type ?? ''
    ]!
  }

  /** Objects of a union have names of their own. */
  #branches(anyOf: readonly Schema[], name: string, direction: Direction): readonly string[] {
    const found: string[] = []
    for (const each of anyOf) {
      const known = this.#classes.size
      const type = this.#typeOf(each, name, direction)
      if (!found.includes(type) || known === this.#classes.size) found.push(type)
    }
    return [...new Set(found)]
  }

  #classOf(schema: Schema, wanted: string, direction: Direction): string {
    const { properties = {}, required = [] } = schema
    // Keywords of Python, which only a call of TypedDict can define.
    const keywords: string[] = []
    const fields = Object.entries(properties).flatMap(([name, field]) => {
      const type = this.#typeOf(field, `${wanted}${className(name)}`, direction)
      if (reserved.has(name) && !required.includes(name)) {
        keywords.push(`"${name}": ${type.replaceAll('§', '')}`)
        return []
      }
      const line = `    ${requireName(name)}: ${type.replaceAll('§', '')}\n`
      const about = sentence(meaningOf(field))
      return { name, text: `${line}${about.length === 0 ? '' : docstring(about, '    ')}` }
    })
    const described = sentence(schema.description ?? '')
    const about = described.length === 0 ? '' : `${docstring(described, '    ')}\n`
    const isNeeded = (name: string) => required.includes(name)
    const body = (wants: (name: string) => boolean) =>
      fields
        .filter(({ name }) => wants(name))
        .map(({ text }) => text)
        .join('')
    const needed = body(isNeeded)
    const optional = body((name) => !isNeeded(name))
    const textNamed = (name: string) => {
      if (needed === '') return `class ${name}(TypedDict, total=False):\n${about}${optional}`
      if (optional === '') return `class ${name}(TypedDict):\n${about}${needed}`
      const base = keywords.length === 0 ? 'TypedDict' : `_${name}Keywords`
      const call = `TypedDict("${base}", {${keywords.join(', ')}}, total=False)`
      return (
        (keywords.length === 0 ? '' : `${base} = ${call}\n\n\n`) +
        `class _${name}(${base}, total=False):\n${optional}\n\n` +
        `class ${name}(_${name}):\n${about}${needed}`
      )
    }
    // Two objects of a union may differ.
    let name = wanted
    for (let at = 2; ; at++) {
      const text = textNamed(name)
      if ((this.#classes.get(name) ?? text) === text) {
        this.#classes.set(name, text)
        return `§${name}`
      }
      name = `${wanted}${at}`
    }
  }
}

function unionOf(types: readonly string[]): string {
  const others = types.filter((type) => type !== 'None')
  const some = others.length === 1 ? others[0]! : `Union[${others.join(', ')}]`
  return others.length === types.length ? some : `Optional[${some}]`
}

function literalType(values: readonly unknown[]): string {
  return `Literal[${values.map(wordOf).join(', ')}]`
}

function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}
