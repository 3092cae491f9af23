// The API reference as one page of plain HTML, made from the same operations. No script, no font,
// no host but this one.

import type { Operation } from '../operation.ts'
import { bodySchemaOf } from '../request-body.ts'
import { fieldsOf, type Schema } from './fields.ts'
import { replySchemaOf } from './open-api.ts'

const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;
padding:0 1rem;color:#1b1f24;background:#fff}h1,h2{line-height:1.2}
h2{margin-top:2.5rem;border-top:1px solid #ccd}
code{font:13px ui-monospace,monospace;background:#f0f2f6;padding:.1em .3em;border-radius:3px}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;
padding:.25rem .5rem;border-bottom:1px solid #e3e6ec}nav{columns:3}nav a{display:block}
@media(prefers-color-scheme:dark){body{color:#dde;background:#14171c}code{background:#252a33}
td,th{border-color:#2c323c}a{color:#8ab4ff}}`

export function referencePage(operations: readonly Operation[]): string {
  const groups = [...new Set(operations.map(({ group }) => group))]
  const sections = groups.map((group) => {
    const members = operations.filter((each) => each.group === group)
    return `<h1 id="${escaped(group)}">${escaped(group)}</h1>${members.map(section).join('')}`
  })
  const links = operations.map(({ name }) => `<a href="#${name}">${name}</a>`).join('')
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>openperp API</title>' +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<style>${style}</style></head><body><h1>openperp API</h1>` +
    '<p>Made from the schemas that validate. Machines read <a href="/openapi.json">/openapi.json' +
    `</a>. All paths are under <code>/api/v1</code>.</p><nav>${links}</nav>${sections.join('')}` +
    '</body></html>'
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
