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

Made by \`npm run docs\` from the schemas that validate; a test fails when it is out of
date. The contract's own endpoints are fixed in [contract.md](contract.md), signing is in
[signing.md](signing.md). Everything is under \`/api/v1\`; the examples run against \`npm
start\` as they stand, or with what is named above them.
`

const bareOpening = `# API reference

Everything is under \`/api/v1\`. Signing is in [signing.md](signing.md).
`

const preface = `Prices, sizes, money and rates are decimal text in their shortest form. Times are
milliseconds since 1970. \`side\` is \`bid\` (buy, long) or \`ask\` (sell, short). An empty
query value or \`null\` is the same as absent (and a null in a body is still signed).

**Unknown fields.** A query parameter that is not listed is ignored. A field of a body that
is not listed is refused by name, at every depth and before the signature is checked,
because it may have been meant to protect you. A few are accepted, because existing clients
send them:

${toleratedTable()}

**Replies.** \`{"success":true,"data":…,"error":null,"code":null}\`, unless a reply is
called bare. Lists with a cursor are newest first and add \`next_cursor\` and \`has_more\`:
ask again with \`cursor\` set to \`next_cursor\` until it is null. A cursor names a row, so
pages stay in place while new rows arrive.

**Errors.** \`{"success":false,"data":null,"error":"NAME: what to do about it","code":…}\`,
bare: \`{"error":…,"code":…}\`. Every operation may answer 400 (malformed), 401 (an API key
that is not good; a signed cancel is served all the same), 403 (a host name or a page of an
origin that a sandbox does not serve), 429 (credits used up, see
\`retry-after\`), 500 and 503; a signed one
also 400 for a signature that is not good, expired or used before. What the rules refuse is
listed with each operation by status and name. \`code\` is the number shown with a name under
422, and the status elsewhere and for names without a number; over the websocket it is the
number wherever there is one.

**Reading as the owner.** The header \`SVC-API-KEY\` with an API key, or
\`openperp-signed-read\` with a signed read ([signing.md](signing.md#signed-reads)), on any read or
preview: the reply then has all that the owner of that account may see, orders that wait for their
release too. Without one it has what others may see, or is 401 where that is nothing. A signed read
that is not good or has expired is 400.

**As of.** The header \`openperp-seq\` of a reply is the entry of history that it is true as of:
of the state exactly that, of history at least. A venue may have several processes and machines;
on one connection nothing older ever follows. Elsewhere, send it as \`openperp-min-seq\`: the
reply waits for that entry up to a second, and is 503 when it did not come. An entry that is more
than 100,000 ahead is 503 immediately.

**Cost.** A request costs 1 credit, one that cancels 0.5, a heavy one 12 (3 with an API
key). A batch costs that for each ten actions begun, half of it if all of them cancel.

**CSV.** Where it says so, \`format=csv\` or \`Accept: text/csv\` gives the page as a table
(RFC 4180) with a header row; \`next_cursor\` is then in the header \`x-next-cursor\`.
Negative numbers stay plain numbers, so that columns add up; any other text that a
spreadsheet would take for a formula (it begins with \`=\`, \`+\`, \`-\` or \`@\`) gets an
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
