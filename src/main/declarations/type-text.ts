// Converts a schema to the text of a TypeScript type, with its descriptions as comments.

import { meaningOf, type Schema } from '../../gateway/documents/fields.ts'

/** A schema with the internal properties that the schema library adds. */
type Whole = Schema & Readonly<{ patternProperties?: Readonly<Record<string, Schema>> }>

export type TextOptions = Readonly<{
  /** In requests an optional field may also be undefined. */
  undefined?: boolean
  /** Fields to omit. */
  without?: readonly string[]
  /** Fields that become optional, with their descriptions. */
  optional?: Readonly<Record<string, string>>
}>

const columnsMax = 96

/** `text` as a comment with the given indentation. */
export function commentText(lines: readonly string[], indent: string): string {
  const wrapped = lines.flatMap((line) =>
    line === '' ? [''] : wrap(line.replaceAll('*/', '* /'), indent.length),
  )
  if (wrapped.length === 0) return ''
  if (wrapped.length === 1) return `${indent}/** ${wrapped[0]} */\n`
  const body = wrapped.map((line) => `${indent} * ${line}`.trimEnd())
  return `${[`${indent}/**`, ...body, `${indent} */`].join('\n')}\n`
}

function wrap(text: string, indent: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + indent + 4 > columnsMax) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}

const sentence = (text: string) => (text === '' ? [] : [`${text.trimEnd().replace(/\.$/, '')}.`])

export function typeText(schema: Whole, options: TextOptions = {}, indent = ''): string {
  const { anyOf, items, properties, patternProperties } = schema
  const inner = (each: Schema) => typeText(each, { ...options, without: [], optional: {} }, indent)
  if (anyOf !== undefined) return [...new Set(anyOf.map(inner))].join(' | ')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  // A tuple, with a schema for each element.
  if (Array.isArray(items)) return `[${(items as readonly Schema[]).map(inner).join(', ')}]`
  if (schema.type === 'array') return `${grouped(items === undefined ? 'unknown' : inner(items))}[]`
  if (properties !== undefined) return objectText(schema, options, indent)
  const pattern = Object.values(patternProperties ?? {})[0]
  if (pattern !== undefined) return `Record<string, ${inner(pattern)}>`
  if (schema.type === 'object') return 'Record<string, never>'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  return schema.type ?? 'unknown'
}

export function objectText(schema: Schema, options: TextOptions = {}, indent = ''): string {
  const { properties = {}, required = [] } = schema
  const { without = [], optional = {} } = options
  const deeper = `${indent}  `
  const fields = Object.entries(properties)
    .filter(([name]) => !without.includes(name))
    .map(([name, property]) => {
      const isOptional = !required.includes(name) || name in optional
      const type = typeText(property, { ...options, without: [], optional: {} }, deeper)
      const given = isOptional && options.undefined === true ? `${type} | undefined` : type
      const comment = commentText(sentence(optional[name] ?? meaningOf(property)), deeper)
      return `${comment}${deeper}${nameText(name)}${isOptional ? '?' : ''}: ${given}\n`
    })
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`
}

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
const nameText = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)
const grouped = (type: string) => (/ \| /.test(outside(type)) ? `(${type})` : type)
/** Returns the type without the parts in braces. */
const outside = (type: string) => {
  let depth = 0
  let text = ''
  for (const sign of type) {
    if (sign === '{') depth += 1
    if (depth === 0) text += sign
    if (sign === '}') depth -= 1
  }
  return text
}
