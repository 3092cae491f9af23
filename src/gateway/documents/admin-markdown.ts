// The admin API as Markdown (docs/operating/admin.md): request and reply of every operation,
// generated from the schemas that validate them.

import { needsReason } from '../../protocol/admin/admin-row.ts'
import type { NamedRow } from './admin-open-api.ts'
import { fieldsOf, type Schema } from './fields.ts'
import { fieldTable, titleOf } from './reference-markdown.ts'

const preface = `# The admin plane, route by route

Made by \`npm run docs\` from the schemas that validate; a test fails when it is out of date.
[running.md](running.md) says what the plane is for, and what tokens and scopes are. The port is
8081 unless \`adminPort\` says otherwise.

Every request needs \`authorization: Bearer <token>\`; a missing token or scope is refused (401,
403) before the body is read. Every body needs \`reason\`, except \`POST /prices\` and operations
that only read: why you do this, 1 to 500 characters on one line. Bodies are UTF-8: \`reason\`,
\`reference\`, \`title\` and \`text\` may be in any script, everything else is ASCII. An unknown
field is refused by name.
Replies are \`{"success":true,"data":…,"error":null,"code":null}\`; the tables describe \`data\`.
Errors are \`{"success":false,"data":null,"error":"NAME: what to do about it","code":…}\`;
a refusal of the rules is 422. Prices, sizes, money and rates are decimal text. Machines read
\`GET /openapi.json\` of the same port, which needs no token; the names below are its operation ids.

In a shell each is a command of \`openperp admin\`, listed in [cli.md](cli.md); a program sends the
request below it:

\`\`\`
openperp admin market halt BTC --reason maintenance
\`\`\`

\`\`\`http
POST /markets/halt HTTP/1.1
authorization: Bearer <token>
content-type: application/json

{"symbol":"BTC","reason":"maintenance"}
\`\`\`
`

export function adminMarkdown(operations: readonly NamedRow[]): string {
  return [preface, ...operations.map(section)].join('\n')
}

function section(operation: NamedRow): string {
  const { name, http, scope, summary, request, reply } = operation
  const body = needsReason(operation) ? 'Body, in addition to `reason`' : 'Body'
  const title = http.startsWith('GET') ? 'Query' : body
  return [
    `## ${http}\n`,
    `\`${name}\` · ${scope === null ? 'any token' : `scope \`${scope}\``}\n`,
    `${summary}.\n`,
    fieldTable(title, fieldsOf(request as Schema)),
    fieldTable(titleOf(reply as Schema), fieldsOf(reply as Schema)),
  ]
    .filter((part) => part !== '')
    .join('\n')
}
