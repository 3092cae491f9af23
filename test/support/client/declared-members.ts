// What declarations declare, and which of it has a comment, read line by line as the compiler and
// our build write it: a member begins on a line of its own.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type Member = Readonly<{
  file: string
  line: number
  name: string
  kind: 'method' | 'field'
  documented: boolean
}>

/** Of an entry and all that it imports by relative paths. */
export function declarationFiles(entry: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(entry)) return found
  found.add(entry)
  const text = readFileSync(entry, 'utf8')
  for (const [, from] of text.matchAll(/ from '(\.[^']+)\.[jt]s'/g))
    declarationFiles(`${join(dirname(entry), from!)}.d.ts`, found)
  return found
}

const declaration = /^(?:export )?(?:declare )?(?:interface|class|type|const|function) (\w+)/
const member = /^\s+(?:readonly )?(?:async )?('[^']+'|[A-Za-z_]\w*)\??(\(|<|: |:$)/

/** What an entry exports by name, by the file that declares it. */
export function exportsOf(entry: string): ReadonlyMap<string, ReadonlySet<string>> {
  const text = readFileSync(entry, 'utf8')
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '(\.[^']+)\.[jt]s'/gm)]
  return new Map(
    lists.map(([, names, from]) => [
      `${join(dirname(entry), from!)}.d.ts`,
      new Set(names!.split(',').map((name) => name.replace(/^\s*type /, '').trim())),
    ]),
  )
}

/** Members of what the file exports under these names (null: any): of interfaces, classes and
 *  object types, at any depth. */
export function membersOf(file: string, names: ReadonlySet<string> | null): readonly Member[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const found: Member[] = []
  let exported = false
  let parentheses = 0
  let comment = false
  for (const [at, line] of lines.entries()) {
    if (/^\S/.test(line) && !/^[})]/.test(line) && !/^\s*(?:\*|\/\*)/.test(line))
      exported = isExported(line, names) && /[{(<=&]\s*$/.test(line)
    const isComment = /^\s*(?:\/\*\*|\*)/.test(line)
    const match = exported && parentheses === 0 && !isComment ? member.exec(line) : null
    const before = lines[at - 1]?.trim() ?? ''
    const isPrivate = /^\s+(?:private|#)/.test(line) || match?.[1] === 'constructor'
    if (match !== null && !isPrivate) {
      const isInternal = comment && textAbove(lines, at).includes('@internal')
      const kind = match[2] === '(' || match[2] === '<' || /=> /.test(line) ? 'method' : 'field'
      const documented = before.endsWith('*/')
      if (!isInternal) found.push({ file, line: at + 1, name: match[1]!, kind, documented })
    }
    comment = before.endsWith('*/') || isComment
    if (!isComment) parentheses = openParentheses(line, parentheses)
  }
  return found
}

function isExported(line: string, names: ReadonlySet<string> | null): boolean {
  const declared = declaration.exec(line)
  return declared !== null && (names === null ? line.startsWith('export') : names.has(declared[1]!))
}

/** Parameters on lines of their own are not members. */
function openParentheses(line: string, before: number): number {
  const code = line.replaceAll(/'[^']*'/g, '')
  const count = (sign: string) => code.split(sign).length - 1
  return Math.max(0, before + count('(') - count(')'))
}

function textAbove(lines: readonly string[], at: number): string {
  let from = at - 1
  while (from > 0 && !lines[from]!.includes('/**')) from -= 1
  return lines.slice(from, at).join('\n')
}
