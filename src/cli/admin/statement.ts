// `openperp admin statement`: all pages, summed again here, as text, JSON or CSV.

import type { AdminReply } from '../../protocol/admin/admin-api.ts'
import { csvCell } from '../../protocol/text/csv-cell.ts'
import { formatDecimal, parseDecimal } from '../../units/decimal.ts'
import type { Call, Option, Options, Result } from '../frame/command.ts'
import { CliError } from '../frame/exit-codes.ts'
import { momentMs } from '../frame/moment.ts'
import { cellOf, replyLines } from '../frame/reply-lines.ts'
import { pairsOf, tableOf } from '../frame/screen.ts'
import { AdminPlane } from './admin-plane.ts'

type Page = AdminReply<'get_statement'>
type Standing = Page['opening']
type Line = Page['lines'][number]

const moment = (about: string): Option => ({
  value: '<date>',
  about: `${about}: 2026-11-01, or 2026-11-01T12:30Z; UTC`,
})

export const statementOptions = {
  from: moment('from this time on (default: the beginning)'),
  to: {
    ...moment('before then; now, or a later time, is up to now (default: now)'),
    value: '<date|now>',
  },
  csv: { about: 'print the lines as CSV, with opening and closing balance' },
} as const satisfies Options

export async function runStatement(call: Call<Options>): Promise<Result | null> {
  const values: Readonly<Record<string, string | boolean | undefined>> = call.values
  const span = {
    account: call.words[0]!,
    ...momentIn('from', values.from),
    ...momentIn('to', values.to),
    ...(values.limit === undefined ? {} : { limit: values.limit }),
    ...(values.after === undefined ? {} : { after: values.after }),
  }
  const onePage = values.limit !== undefined || values.after !== undefined
  const pages = await pagesOf(new AdminPlane({ ...call, scope: 'read' }), span, onePage)
  const [first, last] = [pages[0]!, pages.at(-1)!]
  const lines = pages.flatMap((page) => page.lines)
  const fault = faultIn(pages, lines)
  const statement = {
    ...{ ...last, opening: first.opening, lines, totals: totalsOf(lines) },
    ...{ adds_up: fault === null, fault },
  }
  const end = fault === null ? 'yes' : 'damaged'
  if (values.csv !== true) return { json: statement, lines: shown(statement), end }
  if (fault !== null) throw new CliError('damaged', `the statement does not add up: ${fault}`)
  return { json: statement, lines: csvOf(statement) }
}

function momentIn(field: string, text: string | boolean | undefined) {
  if (text === undefined || (field === 'to' && text === 'now')) return {}
  return { [field]: momentMs(`--${field}`, `${text}`) }
}

async function pagesOf(plane: AdminPlane, span: object, onePage: boolean): Promise<Page[]> {
  const pages: Page[] = []
  let next: number | null = null
  do {
    const query: object = next === null ? span : { ...span, after: next }
    const page: Page = await plane.call('get_statement', query as never)
    pages.push(page)
    next = page.next
  } while (next !== null && !onePage)
  return pages
}

function micro(text: string): number {
  const parsed = parseDecimal(text, 6)
  if (!parsed.ok) throw new CliError('damaged', `${text} is not an amount`)
  return parsed.value
}

/** `null` if opening and lines add up to the closing. */
function faultIn(pages: readonly Page[], lines: readonly Line[]): string | null {
  const mismatch = pages.find(({ adds_up }) => !adds_up)
  if (mismatch !== undefined) return mismatch.fault
  const { opening } = pages[0]!
  const { closing } = pages.at(-1)!
  const sum = lines.reduce(
    (all, { amount, pending_amount }) => all + micro(amount) + micro(pending_amount),
    micro(opening.total),
  )
  if (sum === micro(closing.total)) return null
  return `opening and lines make ${formatDecimal(sum, 6)}, and the closing is ${closing.total}`
}

function totalsOf(lines: readonly Line[]): Page['totals'] {
  const kinds = [...new Set(lines.map(({ event_type }) => event_type))]
  return kinds.map((kind) => {
    const own = lines.filter(({ event_type }) => event_type === kind)
    const sum = (name: 'amount' | 'pending_amount' | 'realized_pnl' | 'fee') =>
      formatDecimal(
        own.reduce((all, line) => all + micro(line[name]), 0),
        6,
      )
    return {
      ...{ event_type: kind, lines: own.length, amount: sum('amount') },
      pending_amount: sum('pending_amount'),
      realized_pnl: sum('realized_pnl'),
      fee: sum('fee'),
    }
  })
}

const standings = ['balance', 'isolated', 'pending_balance', 'total'] as const

function shown({ lines, ...statement }: Page): readonly string[] {
  const { account, from, to, opening, closing, totals, fault, at_end } = statement
  const row = (name: string, standing: Standing) => [name, ...standings.map((at) => standing[at])]
  return [
    ...pairsOf([
      ['account', account],
      ['from', from === null ? 'the beginning' : cellOf('at', from)],
      ['to', cellOf('at', to)],
      ['lines', `${lines.length} (--csv or --json shows them)`],
    ]),
    '',
    ...tableOf(['', ...standings], [row('opening', opening), row('closing', closing)]),
    ...['', ...replyLines(totals), ''],
    ...(at_end === null ? [] : endLines(at_end)),
    fault === null
      ? 'Opening and lines make the closing.'
      : `The statement does not add up: ${fault}`,
  ]
}

function endLines({ reserve_proof, ...end }: NonNullable<Page['at_end']>): readonly string[] {
  const proof =
    reserve_proof === null
      ? 'It is in no proof of reserves.'
      : 'It is in the newest proof of reserves: `openperp verify` takes this statement with --json.'
  return [...replyLines(end), '', proof, '']
}

const heads = [
  ...(['created_at', 'event_type', 'symbol', 'amount', 'pending_amount'] as const),
  ...(['realized_pnl', 'fee', 'balance', 'isolated', 'pending_balance'] as const),
  ...(['withdrawal_id', 'reference', 'counterparty', 'seq', 'line_id'] as const),
]

function csvOf({ lines, opening, closing, from, to }: Page): readonly string[] {
  const border = (event_type: string, at: number | null, standing: Standing) =>
    csvLine({ ...standing, event_type, created_at: at ?? undefined })
  return [
    heads.join(','),
    border('statement_opening', from, opening),
    ...lines.map(csvLine),
    border('statement_closing', to, closing),
  ]
}

function csvLine(line: Readonly<Partial<Record<(typeof heads)[number], unknown>>>): string {
  return heads
    .map((name) => {
      const value = line[name]
      if (value === null || value === undefined) return ''
      return csvCell(name === 'created_at' ? cellOf('at', value) : `${value}`)
    })
    .join(',')
}
