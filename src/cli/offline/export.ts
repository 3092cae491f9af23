// `openperp export`: exports an account's histories from a running exchange, or the journal of a
// folder.

import type { Client } from '../../client/client.ts'
import { accountOf, accountOptions, endOf, readingClient, replyTo } from '../connection.ts'
import { type Call, command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { dataFolderOf, dataOption, onData } from './data-option.ts'

const lists = {
  fills: 'get_trade_history',
  orders: 'get_order_history',
  funding: 'get_funding_history',
  balance: 'get_balance_history',
} as const
type List = keyof typeof lists
const listNames = Object.keys(lists).join(', ')
const isList = (what: string | undefined): what is List =>
  what !== undefined && Object.hasOwn(lists, what)
const pageRows = 1_000

const options = {
  ...accountOptions,
  ...dataOption,
  csv: { about: `${listNames}: comma-separated values` },
  from: { value: '<seq>', about: 'commands, events: from this seq on' },
  to: { value: '<seq>', about: 'commands, events: up to this seq' },
} as const

type ExportCall = Call<typeof options>

export const exporting = command({
  name: 'export',
  group: 'data',
  summary: "Write an account's fills, orders, funding or balance changes, or the journal",
  about:
    'fills, orders, funding and balance ask a running exchange and are all rows of the ' +
    'account, newest first, one JSON object a line, or CSV. commands and events play the ' +
    'journal of a data folder and are one JSON object a line, oldest first, in the units of the ' +
    'core (ticks, lots, micro-dollars).',
  arguments: [{ name: 'what', about: `${listNames}, commands or events`, required: true }],
  options,
  examples: [
    'openperp export fills --key alice --csv > fills.csv',
    'openperp export balance --account <address>',
    'openperp export events --data ./data --from 1000 | grep Liquidation',
  ],
  async run(call) {
    const [what] = call.words
    if (what === 'commands' || what === 'events') await writeJournal(call, what)
    else if (isList(what)) await writeList(call, what)
    else throw misused(`export knows no ${what}`, `${listNames}, commands or events`)
    return null
  },
})

async function writeList(call: ExportCall, what: List): Promise<void> {
  const client = readingClient(call)
  const account = accountOf(call)
  if (call.values.csv === true) return writeTable(call, client, { what, account })
  try {
    for await (const row of client.rows(lists[what], { account, limit: pageRows }))
      call.screen.line(JSON.stringify(row))
  } catch (error) {
    throw endOf(call, error)
  }
}

type ExportRequest = Readonly<{ what: List; account: string }>

/** Writes all pages. The header is written once, and again if the columns change. */
async function writeTable(call: ExportCall, client: Client, { what, account }: ExportRequest) {
  let cursor: string | undefined
  let head: string | undefined
  do {
    const query = { account, limit: pageRows, cursor }
    const { text, nextCursor } = await replyTo(call, client.table(lists[what], query))
    const lines = text.trimEnd().split(/\r?\n/)
    for (const line of lines[0] === head ? lines.slice(1) : lines) call.screen.line(line)
    head = lines[0]
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}

async function writeJournal(call: ExportCall, what: 'commands' | 'events'): Promise<void> {
  const { values, screen, environment } = call
  if (values.csv === true) throw misused(`export ${what} is JSON lines; it has no --csv`)
  const folder = dataFolderOf(values.data, environment)
  const range = {
    from: seqOf('--from', values.from) ?? 1,
    to: seqOf('--to', values.to) ?? Number.POSITIVE_INFINITY,
  }
  const { exportJournal } = await import('./export-journal.ts')
  const began = await onData(() =>
    exportJournal(folder, what, range, (line) => screen.line(JSON.stringify(line))),
  )
  if (began >= range.from)
    screen.remark(`openperp: the journal begins after seq ${began}; nothing before it is there`)
}

function seqOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,14}$/.test(text)) return Number.parseInt(text, 10)
  throw misused(`${flag} ${text} is not a seq`)
}
