// Text of Python: literals, wrapped lines and docstrings.

const columnsMax = 100

export type Literal =
  | string
  | number
  | boolean
  | null
  | Code
  | Tuple
  | readonly Literal[]
  | { readonly [key: string]: Literal }

/** An expression, as it is. */
export class Code {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A tuple, with a literal for each place. */
export class Tuple {
  readonly items: readonly Literal[]
  constructor(items: readonly Literal[]) {
    this.items = items
  }
}

/** `value` as a Python literal, on several lines if it is too long for one. */
export function literal(value: Literal, indent = '', used = 0): string {
  const short = inline(value)
  if (indent.length + used + short.length <= columnsMax) return short
  const deeper = `${indent}    `
  const lines = (items: readonly string[]) => items.map((item) => `${deeper}${item},\n`).join('')
  if (value instanceof Tuple)
    return `(\n${lines(value.items.map((item) => literal(item, deeper, 1)))}${indent})`
  if (Array.isArray(value))
    return `[\n${lines(value.map((item) => literal(item, deeper, 1)))}${indent}]`
  if (typeof value !== 'object' || value === null || value instanceof Code) return short
  const entries = Object.entries(value as Readonly<Record<string, Literal>>)
  const fields = entries.map(([name, item]) => {
    const key = `${quoted(name)}: `
    return `${key}${literal(item, deeper, key.length + 1)}`
  })
  return `{\n${lines(fields)}${indent}}`
}

function inline(value: Literal): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Code) return value.text
  if (value instanceof Tuple) return `(${value.items.map((item) => `${inline(item)},`).join(' ')})`
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  const entries = Object.entries(value as Readonly<Record<string, Literal>>)
  return `{${entries.map(([name, item]) => `${quoted(name)}: ${inline(item)}`).join(', ')}}`
}

const quoted = (text: string) => JSON.stringify(text)

/** Lines of at most 100 columns; further ones of a paragraph begin with `hanging`. */
export function wrapped(text: string, indent: string, hanging = ''): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const start = lines.length === 0 ? '' : hanging
    if (line !== '' && indent.length + start.length + line.length + word.length + 1 > columnsMax) {
      lines.push(`${indent}${start}${line}`)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, `${indent}${lines.length === 0 ? '' : hanging}${line}`]
}

export type Paragraph = string | Readonly<{ text: string; hanging: string }>

/** A docstring; an empty paragraph is an empty line. */
export function docstring(paragraphs: readonly Paragraph[], indent: string): string {
  const [first, ...rest] = paragraphs.flatMap((paragraph) => {
    const { text, hanging } =
      typeof paragraph === 'string' ? { text: paragraph, hanging: '' } : paragraph
    if (text === '') return ['']
    return wrapped(text.replaceAll('\\', '\\\\').replaceAll('"""', "'''"), indent, hanging)
  })
  const head = `${indent}"""${(first ?? '').slice(indent.length)}`
  if (rest.length === 0 && head.length + 3 <= columnsMax && !head.endsWith('"'))
    return `${head}"""\n`
  return `${[head, ...rest].join('\n')}\n${indent}"""\n`
}

/** A description as a sentence; empty: no lines. */
export const sentence = (text: string): readonly string[] =>
  text === '' ? [] : [`${text.trimEnd().replace(/\.$/, '')}.`]
