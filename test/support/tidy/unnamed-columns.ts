// Places where a number stands for the column of a row: `rows[at + 3]`, `row[7]`, `cells.int(7)`,
// `readDoubleLE(at + 24)`, and statements that leave it to the order of a table what is meant.

import { codeOf, lineAt } from './scan-source.ts'

/** What holds the fields of one thing side by side. A list of rows may have a first one. */
const row = '(?:row|cells|heads|fields|record|columns)'
const number = String.raw`\d[\d_]*`

const inCode: readonly RegExp[] = [
  // An offset behind a place; that of a neighbour, which is one further, only in what holds fields.
  /\[[^[\]]*\+\s*(?:[2-9]|[1-9][\d_]+)\s*\]/g,
  new RegExp(String.raw`\b(?:${row}|rows)\[[^[\]]*\+\s*1\s*\]`, 'g'),
  new RegExp(String.raw`\b${row}\[\s*${number}\s*\]`, 'g'),
  // A method that gets the column as a number.
  new RegExp(String.raw`\b${row}\.\w+\(\s*${number}\s*\)`, 'g'),
  // Names given to cells by their order.
  new RegExp(String.raw`\b(?:const|let)\s+\[[^\]]*\]\s*=\s*(?:\w+\.)*${row}\b`, 'g'),
  // Bytes of a record.
  /\b(?:read|write)(?:Big)?(?:U?Int|Double|Float)\w*\([^()]*\+\s*\d+\s*\)/g,
  /\b[gs]et(?:Big)?(?:Uint|Int|Float)\d+\([^()]*\+\s*\d+\b[^()]*\)/g,
]

const inStatements: readonly RegExp[] = [
  /\bINSERT(?: OR \w+)? INTO\s+\S+\s+(?:VALUES|SELECT)\b/g,
  /\bSELECT\s+(?:[^;`']*,\s*)?(?:\w+\.)?\*(?=[\s,])/g,
  /\b(?:GROUP|ORDER) BY\s+(?:[^;`']*,\s*)?\d/g,
]

export type Unnamed = Readonly<{ found: string; line: number }>

/** `source` is TypeScript, with statements in its strings. */
export function unnamedColumnsIn(source: string): readonly Unnamed[] {
  const code = codeOf(source)
  const found = [
    ...inCode.flatMap((pattern) => [...code.matchAll(pattern)]),
    ...inStatements.flatMap((pattern) => [...source.matchAll(pattern)]),
  ]
  return found.map(({ 0: text, index }) => ({
    found: text.replaceAll(/\s+/g, ' '),
    line: lineAt(source, index),
  }))
}
