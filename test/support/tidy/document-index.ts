// What finds a document: number and row of a decision, and the front page that names the others.

import { posix } from 'node:path'
import type { File } from './repository-files.ts'

export const decisionParts = [
  'Status',
  'Context',
  'Decision',
  'Consequences',
  'Change our mind when',
]

/** A decision without its number, its parts or its row in the index. */
export function decisionRecords(files: readonly File[]): readonly string[] {
  const pages = files.filter(({ path }) => /^docs\/adr\/.*\.md$/.test(path))
  const index = pages.find(({ path }) => path === 'docs/adr/README.md')
  const records = pages.filter((page) => page !== index)
  const numbers = records.map(({ path }) => /^docs\/adr\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1])
  const gaps = numbers
    .toSorted()
    .flatMap((number, i) => (number === String(i + 1).padStart(4, '0') ? [] : [i + 1]))
    .map((number) => `docs/adr: record number ${number} is missing, doubled or misnamed`)
  const parts = records.flatMap(({ path, text }) =>
    decisionParts
      .filter((part) => !text.includes(`\n## ${part}\n`))
      .map((part) => `${path}: has no part "## ${part}"`),
  )
  const unlisted = records
    .map(({ path }) => posix.basename(path))
    .filter((name) => !index?.text.includes(`(${name})`))
    .map((name) => `docs/adr/README.md: has no row for ${name}`)
  return [...gaps.slice(0, 1), ...parts, ...unlisted]
}

/** The rules and the decisions have an index of their own. */
const indexed = /^docs\/(?:README|adr\/.*|rules\/.*)\.md$/

export function unlistedPages(files: readonly File[]): readonly string[] {
  const front = files.find(({ path }) => path === 'docs/README.md')?.text ?? ''
  return files
    .filter(({ path }) => path.startsWith('docs/') && path.endsWith('.md') && !indexed.test(path))
    .filter(({ path }) => !front.includes(`(${path.slice('docs/'.length)})`))
    .map(({ path }) => `docs/README.md: does not name ${path}`)
}
