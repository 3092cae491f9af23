// The API reference as one plain HTML page, generated from the same operations.

import type { Operation } from '../operation.ts'
import { bodySchemaOf } from '../request-body.ts'
import { fieldsOf, type Schema } from './fields.ts'
import { replySchemaOf } from './open-api.ts'
import { escaped, plainPage } from './plain-page.ts'

export function referencePage(operations: readonly Operation[]): string {
  const groups = [...new Set(operations.map(({ group }) => group))]
  const sections = groups.map((group) => {
    const members = operations.filter((each) => each.group === group)
    return `<h1 id="${escaped(group)}">${escaped(group)}</h1>${members.map(section).join('')}`
  })
  const links = operations.map(({ name }) => `<a href="#${name}">${name}</a>`).join('')
  const title = 'openperp API'
  return plainPage(
    title,
    `<h1>${title}</h1><p>Made from the schemas that validate. Machines read ` +
      '<a href="/openapi.json">/openapi.json</a>. All paths are under <code>/api/v1</code>.</p>' +
      `<nav>${links}</nav>${sections.join('')}`,
  )
}

function section(operation: Operation): string {
  const { name, http, summary, signs, cost, rejects } = operation
  const request = http.startsWith('GET') ? operation.request : bodySchemaOf(operation)
  const signing = signs === null ? 'not signed' : `signed as <code>${signs}</code>`
  const refused = rejects.map((each) => `<code>${each}</code>`).join(' ')
  return (
    `<h2 id="${name}"><code>${escaped(http)}</code></h2><p>${escaped(summary)}. ` +
    `${signing}; cost: ${cost}.</p>${table('Request', request as Schema)}` +
    table('Reply', replySchemaOf(operation) as Schema) +
    (refused === '' ? '' : `<p>Rules that may refuse it: ${refused}</p>`)
  )
}

function table(title: string, schema: Schema): string {
  const rows = fieldsOf(schema).map(({ path, type, optional, meaning }) => {
    const kind = `${escaped(type)}${optional ? ', optional' : ''}`
    return `<tr><td><code>${escaped(path)}</code><td>${kind}<td>${escaped(meaning)}</tr>`
  })
  if (rows.length === 0) return ''
  return `<h3>${title}</h3><table><tr><th>Field<th>Type<th>Meaning</tr>${rows.join('')}</table>`
}
