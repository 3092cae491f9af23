// Any reply, for people: lists as tables, objects as pairs, times as dates. What does not fit on a
// line is shown with --json.

import { pairsOf, tableOf } from './screen.ts'

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isPlain = (value: unknown) =>
  !isRow(value) && (!Array.isArray(value) || value.every((each) => typeof each !== 'object'))
/** Each on a line of its own. */
const isSentences = (value: unknown) =>
  Array.isArray(value) && value.some((each) => typeof each === 'string' && each.includes(' '))

export function replyLines(value: unknown): readonly string[] {
  if (Array.isArray(value)) return listLines(value)
  if (!isRow(value)) return [cellOf('', value)]
  const isShort = (each: unknown) => isPlain(each) && !isSentences(each)
  const plain = Object.entries(value).filter(([, each]) => isShort(each))
  const rest = Object.entries(value).filter(([, each]) => !isShort(each))
  const pairs = plain.map(([name, each]) => [name, cellOf(name, each)] as const)
  return [
    ...(pairs.length === 0 ? [] : pairsOf(pairs)),
    ...rest.flatMap(([name, each]) => ['', `${name}:`, ...replyLines(each)]),
  ]
}

function listLines(list: readonly unknown[]): readonly string[] {
  if (list.length === 0) return ['none']
  if (!list.every(isRow)) return list.map((each) => cellOf('', each))
  const heads = Object.keys(list[0]!).filter((name) => list.every((row) => isPlain(row[name])))
  return tableOf(
    heads,
    list.map((row) => heads.map((name) => cellOf(name, row[name]))),
  )
}

const isTime = (name: string) => /(^|_)(at|until|since|now)$/.test(name)

/** Texts come from others: none may move the cursor and hide other output. */
const visible = (text: string) =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (each) =>
    each === '\n' ? '\\n' : `\\u{${each.codePointAt(0)!.toString(16)}}`,
  )

export const cellOf = (name: string, value: unknown): string => visible(textOf(name, value))

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'number' && isTime(name)) return new Date(value).toISOString()
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.length === 0 ? '-' : value.join(' ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
