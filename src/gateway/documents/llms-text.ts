// The API for language models: /llms.txt, a list of pages, and /docs/llms-full.txt, which contains
// the reference of this exchange and the pages that explain it.

import type { Operation } from '../operation.ts'
import { docPage, docPages, withServedLinks } from './doc-pages.ts'
import { referenceMarkdown } from './reference-markdown.ts'

type Page = Readonly<{ path: string; about: string; only?: 'sandbox' }>

const referencePath = 'api/reference.md'

const usage: readonly Page[] = [
  { path: referencePath, about: 'every operation: request, reply, refusals' },
  { path: 'api/signing.md', about: 'how requests are signed, with test vectors' },
  { path: 'api/streams.md', about: 'the websocket: books, trades, account channels' },
  { path: 'api/orders.md', about: 'kinds of orders, and when they trade' },
  { path: 'api/keys.md', about: 'agents, and policies that limit a key' },
  { path: 'language-models.md', about: 'tools for language models: `openperp mcp`' },
  { path: 'lab.md', about: 'fixtures, engine time and resets for tests', only: 'sandbox' },
]

const rules: readonly Page[] = [
  { path: 'rules/units.md', about: 'ticks, lots, money, rounding' },
  { path: 'rules/orders.md', about: 'placing, checking, matching, time in force' },
  { path: 'rules/triggers.md', about: 'stops, take-profit and stop-loss, scheduled cancel' },
  { path: 'rules/algos.md', about: 'TWAPs, chases, icebergs' },
  { path: 'rules/margin.md', about: 'requirement, equity, isolated margin' },
  { path: 'rules/fees.md', about: 'fees, rebates, volume tiers' },
  { path: 'rules/prices.md', about: 'index and mark price, feed health' },
  { path: 'rules/funding.md', about: 'premium, rate, settlement' },
  { path: 'rules/liquidation.md', about: 'liquidation, insurance fund, deleveraging' },
  { path: 'rules/accounts.md', about: 'deposits, withdrawals, subaccounts, agents' },
  { path: 'rules/markets.md', about: 'listing, changing, halting, settling' },
  { path: 'glossary.md', about: 'terms' },
]

/** Only in the list. */
const clients: readonly Page[] = [
  { path: 'api/client.md', about: 'the client for JavaScript and TypeScript' },
  { path: 'python.md', about: 'the client and test fixtures for Python' },
  { path: 'api/other-clients.md', about: 'ccxt, hummingbot and SDKs' },
  { path: 'operating/cli.md', about: 'the command line' },
]

const isSandbox = (operations: readonly Operation[]) =>
  operations.some(({ only }) => only === 'sandbox')

const shownIn = (operations: readonly Operation[]) => {
  const sandbox = isSandbox(operations)
  return ({ only }: Page) => only === undefined || sandbox
}

const modes = {
  sandbox:
    'This exchange is a sandbox: prices are simulated and money is test money. Operations whose ' +
    'paths begin with `/sandbox/` set its clock and its prices.',
  venue:
    'This exchange is a venue with real users and real money. There are no operations that set ' +
    'its clock or its prices.',
} as const

function opening(operations: readonly Operation[]): string {
  return `# openperp

> A perpetual-futures exchange: order book, margin, funding, liquidation.
> REST under \`/api/v1\`, a websocket at \`/ws\`.

${modes[isSandbox(operations) ? 'sandbox' : 'venue']}

- Prices, sizes, money and rates are decimal text (\`"0.1"\`), times are milliseconds since 1970.
  \`bid\` buys, \`ask\` sells.
- Requests that change something are signed with Ed25519. The clients for JavaScript and Python and
  the command line sign.
- \`POST /api/v1/orders/preview\` shows the result of an order, without a signature and without
  effect. Send it first.
- A refusal names its rule and the accepted values, and changes nothing.
`
}

const listed = ({ path, about }: Page) => `- [${path}](/docs/${path}): ${about}`

/** `/llms.txt`. */
export function llmsText(operations: readonly Operation[]): string {
  const isShown = shownIn(operations)
  const section = (title: string, lines: readonly string[]) =>
    `\n## ${title}\n\n${lines.join('\n')}\n`
  return [
    opening(operations),
    section('API', [
      '- [All in one file](/docs/llms-full.txt): reference, signing, streams and rules',
      '- [OpenAPI](/openapi.json): every operation',
      '- [AsyncAPI](/asyncapi.json): the websocket',
      '- [Status](/status): markets and announcements',
      ...usage.filter(isShown).map(listed),
    ]),
    section('Rules', rules.map(listed)),
    section('Optional', clients.map(listed)),
  ].join('')
}

/** `/docs/llms-full.txt`. The reference has the operations of this exchange. */
export function llmsFullText(operations: readonly Operation[]): string {
  const served = docPages()
  const pages = [...usage.filter(shownIn(operations)), ...rules].map(({ path }) => {
    if (path !== referencePath) return docPage(path, served)
    return withServedLinks(referenceMarkdown(operations, null), path, served)
  })
  return [opening(operations), ...pages].join('\n\n')
}
