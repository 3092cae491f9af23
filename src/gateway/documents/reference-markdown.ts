// The API reference as Markdown (docs/api/reference.md): request, reply, errors and an example of
// every operation. Generated from the objects that serve the API.

import { addressed, signedNames } from '../../protocol/routes.ts'
import { quoteBody } from '../../protocol/schemas/order-requests.ts'
import { toleratedFields } from '../../protocol/tolerated-fields.ts'
import type { Operation } from '../operation.ts'
import { answerOf, engineCodeOf } from '../refusal.ts'
import { exampleOf, madeByPrograms, needsFirst, readsOfOwners, type Traders } from './examples.ts'
import { type Field, fieldsOf, type Schema } from './fields.ts'
import { replySchemaOf } from './open-api.ts'

const url = 'http://127.0.0.1:8080/api/v1'

const opening = `# API reference

\`npm run docs\` generates this page from the schemas that validate requests; a test fails
if it is out of date. The endpoints of the contract are fixed in [contract.md](contract.md),
and signing is described in [signing.md](signing.md). Everything is under \`/api/v1\`. The
examples run against \`npm start\`; some need the state that is named above them.
`

const bareOpening = `# API reference

Everything is under \`/api/v1\`. Signing is in [signing.md](signing.md).
`

const preface = `Prices, sizes, money and rates are decimal strings in their shortest form. Times
are milliseconds since 1970. \`side\` is \`bid\` (buy, long) or \`ask\` (sell, short). An empty
query value or \`null\` counts as absent, but a null in a body is part of the signed text.

**Unknown fields.** A query parameter that is not listed is ignored. A field of a body that
is not listed is refused by name, because it may have been meant to protect you. This is
checked at every depth, before the signature. A few fields are accepted because existing
clients send them:

${toleratedTable()}

**Replies.** A reply is \`{"success":true,"data":…,"error":null,"code":null}\`, except for
the operations with a *bare reply*, which is \`data\` alone. Lists with a cursor are newest
first and also have \`next_cursor\` and \`has_more\`. To read on, send \`next_cursor\` as
\`cursor\` until it is null. A cursor identifies a row, so pages do not shift when new rows
arrive.

**Errors.** An error is
\`{"success":false,"data":null,"error":"NAME: what to do about it","code":…}\`, or
\`{"error":…,"code":…}\` for operations with a bare reply. Each operation lists the refusals
of the rules by status and name. In addition, every operation may return:

| Status | Reason |
|---|---|
| 400 | The request is malformed, or its signature is invalid, expired or already used |
| 401 | The API key is invalid. Signed cancels are served even then |
| 403 | A sandbox does not serve this host name, or pages of this origin |
| 429 | The credits are used up; the header \`retry-after\` says when to try again |
| 500, 503 | The exchange failed, or cannot serve the request now |

\`code\` is the number next to the name in the lists under 422. Otherwise, and for names
without a number, it is the HTTP status. Over the websocket it is always the number if the
name has one.

**Reading as the owner.** Any read or preview accepts the header \`SVC-API-KEY\` with an API
key, or \`openperp-signed-read\` with a signed read ([signing.md](signing.md#signed-reads)). The
reply then has everything that the owner of that account may see, including orders that wait
for their release. Without these headers the reply has what other callers may see, or the
status is 401 if they may see nothing. An invalid or expired signed read is answered with 400.

**As of.** The header \`openperp-seq\` of a reply is a journal entry. Current state in the
reply is exactly that of this entry; history includes at least this entry. A refusal names
its own entry, or the newest one if it was refused before it had one. A venue may have
several processes and machines. On one connection, replies never go back to an older entry.
To get the same over several connections, send the entry as \`openperp-min-seq\`: the reply
waits up to a second for it, and is 503 if the entry has not arrived by then. An entry more
than 100,000 ahead is answered with 503 immediately.

**Cost.** A request costs 1 credit, a cancel 0.5 credits, and a request marked *heavy* 12 (3
with an API key). A batch costs 1 credit for every ten actions or part of ten, and half of
that if all of them are cancels.

**CSV.** Where an operation says so, \`format=csv\` or \`Accept: text/csv\` returns the page as
a table (RFC 4180) with a header row, and \`next_cursor\` in the header \`x-next-cursor\`.
Negative numbers stay plain numbers, so that columns can be summed. Any other text that a
spreadsheet would read as a formula (it begins with \`=\`, \`+\`, \`-\` or \`@\`) has an
apostrophe in front.
`

/** Fields with the same text in all other columns share a row. */
function toleratedTable(): string {
  const rows = new Map<string, string[]>()
  for (const { field, of, sentBy, meaning } of toleratedFields) {
    const signed = signedNames.every((name) => of.includes(name))
    const where = signed ? 'every signed request' : of.map((name) => `\`${name}\``).join(', ')
    const rest = `${where} | ${sentBy} | ${meaning}`
    rows.set(rest, [...(rows.get(rest) ?? []), `\`${field}\``])
  }
  const lines = [...rows].map(([rest, fields]) => `| ${fields.join(', ')} | ${rest} |`)
  return `| Field | In | Sent by | Means |\n|---|---|---|---|\n${lines.join('\n')}`
}

const costs = { plain: '1 credit', cancel: '0.5 credits', heavy: 'heavy' } as const

/** `traders`: accounts of the examples; `null`: without examples. */
export function referenceMarkdown(
  operations: readonly Operation[],
  traders: Traders | null,
): string {
  const groups = [...new Set(operations.map(groupOf))]
  const sections = groups.map((group) => {
    const members = operations.filter((each) => groupOf(each) === group)
    return [`## ${group}\n`, ...members.map((each) => section(each, traders))].join('\n')
  })
  const contents = groups.map((group) => {
    const members = operations.filter((each) => groupOf(each) === group)
    return `- **${group}**: ${members.map(linkTo).join(', ')}`
  })
  const begin = traders === null ? bareOpening : opening
  return [begin, preface, `${contents.join('\n')}\n`, ...sections].join('\n')
}

function groupOf({ group }: Operation): string {
  return `${group[0]!.toUpperCase()}${group.slice(1)}`
}

const linkTo = ({ http, name }: Operation) => `[\`${http}\`](#${name})`

function section(operation: Operation, traders: Traders | null): string {
  const { name, http, summary, signs, cost, wraps, csv } = operation
  const signing = signs === null ? [] : [`signed as \`${signs}\``]
  const shape = wraps === 'bare' ? ['bare reply'] : []
  const table = !csv ? [] : ['also as CSV']
  const facts = [...signing, costs[cost], ...shape, ...table].join(', ')
  const { properties } = replySchemaOf(operation) as Schema
  const reply = wraps === 'bare' ? (operation.reply as Schema) : properties!.data!
  return [
    `### ${name}\n`,
    `\`${http}\` · ${facts}\n`,
    `${summary}.\n`,
    fieldTable('Request', fieldsOf(operation.request as Schema)),
    name === 'batch_orders' ? fieldTable('`data` of a Quote', fieldsOf(quoteBody as Schema)) : '',
    fieldTable(titleOf(reply), fieldsOf(reply)),
    refusals(operation),
    traders === null ? '' : example(operation, traders),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

export function titleOf({ type, items }: Schema): string {
  if (type === 'array')
    return items?.type === 'string' ? 'Reply: a list of texts' : 'Reply, a list of'
  return type === 'null' ? 'Reply: null' : 'Reply'
}

export function fieldTable(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return title.includes(':') ? `${title}\n` : ''
  const rows = fields.map(({ path, type, optional, meaning }) => {
    const cells = [`\`${path}\`${optional ? '?' : ''}`, type, meaning]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return `| ${title} | | |\n|---|---|---|\n${rows.join('\n')}\n`
}

function refusals({ rejects, refusals: kind, notFound }: Operation): string {
  const absent = notFound === undefined ? '' : '404 when it does not exist.\n'
  if (rejects.length === 0) return absent
  const byStatus = new Map<number, string[]>()
  for (const name of rejects) {
    const { status } = answerOf(name, kind)
    const list = byStatus.get(status) ?? []
    const code = engineCodeOf(name)
    byStatus.set(status, [...list, code === 0 ? name : `${name} ${code}`])
  }
  const lines = [...byStatus].map(([status, names]) => `${status}: ${names.join(', ')}`)
  return `Refused by the rules: ${lines.join('. ')}.\n${absent}`
}

function example(operation: Operation, traders: Traders): string {
  const { name, http, signs } = operation
  const [method, path] = http.split(' ') as [string, string]
  if (madeByPrograms.has(name))
    return 'Two keys sign it, each a text of its own: see [signing.md](signing.md).\n'
  const fields = exampleOf(operation, traders)
  const body = JSON.stringify(fields)
  const first = needsFirst[name]
  const own = first === undefined ? '' : `With ${first}:\n\n`
  const isRead = readsOfOwners.has(name)
  if (signs !== null || isRead || name === 'batch_orders') {
    const rest = body === '{}' ? '' : ` '${body}'`
    return own + fenced(`npx openperp request ${isRead ? name : path}${rest} --key alice`)
  }
  if (method === 'POST')
    return fenced(`curl -X POST ${url}${path} -H 'content-type: application/json' -d '${body}'`)
  const { path: at, others } = addressed(path, fields)
  const query = new URLSearchParams(others as Record<string, string>)
  return own + fenced(`curl '${url}${at}${query.size === 0 ? '' : `?${query}`}'`)
}

const fenced = (line: string) => `\`\`\`\n${line}\n\`\`\`\n`
