// The methods of the Python client, one for each operation, and what it has to know about each.

import { meaningOf } from '../../gateway/documents/fields.ts'
import type { Operation } from '../../gateway/operation.ts'
import { answerOf } from '../../gateway/refusal.ts'
import { apiOperations } from '../../gateway/routes/all-operations.ts'
import { batchActions } from '../../protocol/batch-actions.ts'
import { type RouteName, routeNames, routes } from '../../protocol/routes.ts'
import { quoteBody } from '../../protocol/schemas/order-requests.ts'
import { statusReply } from '../../protocol/schemas/status.ts'
import { formOf, type Schema } from './python-forms.ts'
import { Code, docstring, type Literal, literal, type Paragraph, sentence } from './python-text.ts'
import { className, PythonTypes, requireName } from './python-types.ts'

export const generatedNote = `# Written by \`npm run docs\` from the schemas that the exchange \
validates with. Do not edit.
`

type Parameter = Readonly<{ name: string; type: string; optional: boolean; about: string }>
type Described = Pick<Operation, 'name' | 'http' | 'summary' | 'signs' | 'wraps'> &
  Readonly<{ request: Schema; reply: Schema; raises: readonly string[] }>

/** Served outside the mount of the API, so that it is not a route. */
const status: Described = {
  name: 'get_status',
  http: 'GET /status' as Operation['http'],
  summary: 'Status of markets, their prices and the exchange, and announcements of operators',
  signs: null,
  wraps: 'envelope',
  request: { type: 'object', properties: {} },
  reply: statusReply as Schema,
  raises: [],
}

/** Parameters of the requests with several signatures. */
const special: Readonly<Partial<Record<RouteName, readonly Parameter[]>>> = {
  batch_orders: [
    {
      name: 'actions',
      type: 'Sequence[Mapping[str, Any]]',
      optional: false,
      about:
        "the actions, each {'type': …, 'data': …}: up to 10, or up to 50 under one signature. " +
        'They run in order',
    },
    {
      name: 'together',
      type: 'bool',
      optional: true,
      about: 'one signature for all of them (default: False, each action is signed separately)',
    },
  ],
  create_subaccount: [
    {
      name: 'subaccount',
      type: 'Signer',
      optional: false,
      about: 'key of the new account, which signs too',
    },
  ],
}

function describedOf(operation: Operation): Described {
  const { rejects, refusals, notFound } = operation
  const statuses = [...new Set(rejects.map((name) => answerOf(name, refusals).status))]
  const rules = `; rules (${statuses.join(', ')}): ${rejects.join(', ')}`
  const request = operation.request as Schema
  const { csv } = routes[operation.name as RouteName]
  const { format: _, ...others } = request.properties ?? {}
  return {
    ...operation,
    request: csv ? { ...request, properties: others } : request,
    reply: operation.reply as Schema,
    raises: [
      `:raises ApiRefusal: The exchange refused it${rejects.length === 0 ? '' : rules}.`,
      ...(notFound === undefined ? [] : [':raises ApiRefusal: 404: it does not exist.']),
    ],
  }
}

function all(): readonly Described[] {
  const operations = new Map(apiOperations('sandbox').map((each) => [each.name, each]))
  return [...routeNames.map((name) => describedOf(operations.get(name)!)), status]
}

function parametersOf({ name, request }: Described, types: PythonTypes): readonly Parameter[] {
  const known = special[name as RouteName]
  if (known !== undefined) return known
  const { properties = {}, required = [] } = request
  const ofAccount = routes[name as RouteName]?.ofAccount === true
  return Object.entries(properties).map(([field, schema]) => {
    const isOwn = ofAccount && field === 'account'
    return {
      name: requireName(field),
      type: types.typeOf(schema, `${className(name)}${className(field)}`, 'request'),
      optional: !required.includes(field) || isOwn,
      about: isOwn ? "address of the account (default: the client's own)" : meaningOf(schema),
    }
  })
}

function methodText(operation: Described, types: PythonTypes): string {
  const { name, http, summary, signs, reply, raises } = operation
  const given = parametersOf(operation, types)
  // Those that must be given come first.
  const sorted = [...given.filter((one) => !one.optional), ...given.filter((one) => one.optional)]
  const lines = sorted.map(({ name: field, type, optional }) => {
    if (!optional) return `        ${field}: ${type},\n`
    return `        ${field}: Union[${type}, Unset] = UNSET,\n`
  })
  const returns = types.typeOf(reply, `${className(name)}${nameOfReply(reply)}`, 'reply')
  const paragraphs: Paragraph[] = [
    ...sentence(summary),
    '',
    `\`\`${http}\`\`${signs === null ? '' : `, signed as \`\`${signs}\`\``}`,
    '',
    ...sorted.map(({ name: field, about }) => ({
      text: `:param ${field}: ${about}`.trimEnd(),
      hanging: '    ',
    })),
    ...raises.map((text) => ({ text, hanging: '    ' })),
  ]
  const star = lines.length === 0 ? '' : '        *,\n'
  return (
    `    def ${name}(\n        self,\n${star}${lines.join('')}    ) -> ${returns}:\n` +
    docstring(trimmed(paragraphs), '        ') +
    callText([JSON.stringify(name), ...sorted.map(({ name: field }) => `${field}=${field}`)])
  )
}

function callText(given: readonly string[]): string {
  const short = `        return self.call(${given.join(', ')})\n`
  if (short.length <= 100) return short
  const lines = given.map((one) => `            ${one},\n`)
  return `        return self.call(\n${lines.join('')}        )\n`
}

/** Without empty lines at the end. */
function trimmed(paragraphs: readonly Paragraph[]): readonly Paragraph[] {
  return paragraphs.at(-1) === '' ? trimmed(paragraphs.slice(0, -1)) : paragraphs
}

const nameOfReply = ({ type }: Schema) => (type === 'array' ? 'Row' : 'Reply')

function rowText(operation: Described): string {
  const { name, http, wraps, signs, request, reply } = operation
  const [method, path] = http.split(' ') as [string, string]
  const { ofAccount, ownerOnly, csv, only, ws } = routes[name as RouteName] ?? {}
  const marks: Readonly<Record<string, Literal>> = {
    signs,
    of_account: ofAccount === true,
    owner_only: ownerOnly === true,
    csv: csv === true,
    ws: (ws ?? null) !== null,
    sandbox: only === 'sandbox',
    request: formOf(request),
    reply: formOf(reply),
  }
  const shown = Object.entries(marks).filter(([, value]) => value !== false && value !== null)
  const fields = shown.map(
    ([mark, value]) => `        ${mark}=${literal(value, '        ', mark.length + 2)},\n`,
  )
  const head = [name, method, path, wraps].map((text) => `        ${JSON.stringify(text)},\n`)
  return `    ${JSON.stringify(name)}: Operation(\n${head.join('')}${fields.join('')}    ),\n`
}

/** `python/openperp/_operations.py` and `python/openperp/schemas.py`. */
export function pythonOperations(): Readonly<{ operations: string; schemas: string }> {
  const types = new PythonTypes('schemas.')
  const described = all()
  const methods = described.map((operation) => methodText(operation, types))
  const quote = formOf(quoteBody as Schema)
  const actions = Object.fromEntries(Object.entries(batchActions))
  return {
    operations: `${operationsHead}${methods.join('\n')}

OPERATIONS: Dict[str, Operation] = {
${described.map(rowText).join('')}}

#: Actions of a batch, and the operation with the same fields.
BATCH_ACTIONS: Dict[str, str] = ${literal(actions, '', 30)}

#: Decimals of the action \`\`Quote\`\`, which is not an operation.
QUOTE: Any = ${literal(quote ?? new Code('None'), '', 14)}
`,
    schemas: `${schemasHead}${types.classes.join('\n\n')}`,
  }
}

const operationsHead = `"""The operations of the API."""

${generatedNote}
from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, Union

from . import schemas
from ._decimals import D
from ._operation import UNSET, Operation, Unset
from .keys import Signer
from .schemas import DecimalLike


class Operations:
    """One method for each operation of the API, with the fields of its request as keywords.

    A field that is not given is absent from the request; None is sent as null.
    """

    def call(self, name: str, /, **fields: Any) -> Any:
        raise NotImplementedError

`

const schemasHead = `"""The objects in requests and replies."""

${generatedNote}
from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

#: A decimal in a request. A float is refused, because it is not exact.
DecimalLike = Union[Decimal, int, str]


`
