// The Markdown pages of docs/ as the exchange serves them under /docs: links lead to pages that it
// serves, or to the repository.

import { readdirSync, readFileSync } from 'node:fs'
import { posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { repository } from './version.ts'

const folder = new URL('../../../../docs/', import.meta.url)

/** Paths relative to docs/, such as `api/signing.md`. */
export function docPages(): ReadonlySet<string> {
  const names = readdirSync(fileURLToPath(folder), { recursive: true }) as string[]
  return new Set(
    names.filter((name) => name.endsWith('.md')).map((name) => name.split(sep).join('/')),
  )
}

export function docPage(path: string, served: ReadonlySet<string>): string {
  return withServedLinks(readFileSync(new URL(path, folder), 'utf8'), path, served)
}

/** `path`: of the page that has the links. */
export function withServedLinks(text: string, path: string, served: ReadonlySet<string>): string {
  return text.replace(/\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)/g, (_, target, anchor = '') => {
    const inClone = posix.join('docs', posix.dirname(path), target)
    const isServed = served.has(posix.relative('docs', inClone))
    const place = isServed ? `/${inClone}` : `${repository}/blob/main/${inClone}`
    return `](${place}${anchor})`
  })
}
