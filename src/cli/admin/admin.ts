// `openperp admin …`: everything the admin plane serves, one command for each operation.

import { type AdminName, type AdminReply, adminApi } from '../../protocol/admin/admin-api.ts'
import { type AdminRow, needsReason } from '../../protocol/admin/admin-row.ts'
import { type Call, type Command, family, type Options, type Result } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { cellOf, replyLines } from '../frame/reply-lines.ts'
import {
  argumentOf,
  bodyOf,
  type Field,
  fieldsOf,
  flagOf,
  optionOf,
} from '../frame/schema-fields.ts'
import { pairsOf } from '../frame/screen.ts'
import { AdminPlane, adminOptions, type Body } from './admin-plane.ts'
import { type CommandSpec, commandSpecs } from './admin-words.ts'
import { confirm } from './confirm.ts'
import { pricesLines } from './prices.ts'
import { rotateToken } from './rotate-token.ts'
import { runStatement, statementOptions } from './statement.ts'
import { whatIsNow } from './what-is-now.ts'

type Operation = AdminRow & Readonly<{ name: AdminName }>

const operations = (Object.keys(adminApi) as AdminName[]).map(
  (name): Operation => ({ name, ...adminApi[name] }),
)

/** Derives the command's words from its route: `POST /keys/credits` becomes `keys credits`, or
 *  `keys credits set` if the path also has a GET. */
function byPath({ http }: Operation): CommandSpec {
  const read = http.replace('POST', 'GET')
  const isRead = http !== read && operations.some((other) => other.http === read)
  const path = http.split('/').slice(1).join(' ').replaceAll('_', '-')
  const words = isRead ? `${path} set` : path
  return { words, examples: [words] }
}

/** Not every POST changes something: some only read. */
const isAction = ({ http, scope }: Operation) => http.startsWith('POST') && scope !== 'read'

const actionOptions = {
  'dry-run': { about: 'show the effect without applying it' },
  yes: { about: 'do not ask for confirmation' },
} as const

const reasonOption = {
  reason: { value: '<text>', about: 'required; reason, recorded in the journal' },
} as const

const tokensWith = (scope: string | null) =>
  scope === null ? 'every token' : `tokens with the scope ${scope}`

function commandOf(operation: Operation, said: CommandSpec): Command {
  const { http, summary } = operation
  const fields = fieldsOf(operation.request, said)
  const { behind = [] } = said
  const isBehind = ({ name, within }: Field) => within === null && behind.includes(name)
  const named = (name: string) => fields.find((field) => isBehind(field) && field.name === name)
  const flags = fields.filter((field) => !isBehind(field))
  const acts = isAction(operation)
  const own = ownCommands[operation.name]
  return {
    name: `admin ${said.words}`,
    group: 'operating',
    summary: said.summary ?? summary,
    about: `${http} of the admin plane, for ${tokensWith(operation.scope)}.`,
    arguments: behind.flatMap((name) => named(name) ?? []).map(argumentOf),
    options: {
      ...Object.fromEntries(flags.map((field) => [flagOf(field.name), optionOf(field)])),
      ...(needsReason(operation) ? reasonOption : {}),
      ...(acts ? actionOptions : {}),
      ...own?.options,
      ...adminOptions,
    },
    examples: said.examples.map((example) => `openperp admin ${example}`),
    run: own?.run ?? ((call) => run(call, operation, said, fields)),
  }
}

/** Formatters of replies, by name of the operation. */
const linesOf: Readonly<Partial<Record<AdminName, (reply: unknown) => readonly string[]>>> = {
  get_prices: (reply) => pricesLines(reply as AdminReply<'get_prices'>),
  get_operator_actions: (reply) =>
    replyLines((reply as AdminReply<'get_operator_actions'>).map(journalLine)),
}

type JournalRow = AdminReply<'get_operator_actions'>[number]

/** The raw command of a journal row is for programs: `details` has the same in dollars. */
function journalLine({ command: _, rejection, ...row }: JournalRow) {
  return rejection === null ? row : { ...row, outcome: `${row.outcome}: ${rejection}` }
}

/** Commands with several requests, by name of the operation. */
const ownCommands: Readonly<Partial<Record<AdminName, Pick<Command, 'options' | 'run'>>>> = {
  get_statement: { options: statementOptions, run: runStatement },
}

async function run(
  call: Call<Options>,
  operation: Operation,
  said: CommandSpec,
  fields: readonly Field[],
): Promise<Result> {
  const plane = new AdminPlane({ ...call, scope: operation.scope })
  const values: Readonly<Record<string, string | boolean | undefined>> = call.values
  const parameters = bodyOf(fields, said, call)
  const { name } = operation
  if (!isAction(operation))
    return replyResult(operation, await plane.call(name, parameters as never))
  const reason = needsReason(operation) ? { reason: await reasonOf(call) } : {}
  const body = { ...parameters, ...reason }
  const shown = await shownFirst(plane, operation, body)
  if (values['dry-run'] === true)
    return {
      json: { dry_run: true, operation: operation.http, body, now: shown.now },
      lines: [...shown.lines, '', 'Nothing was done (--dry-run).'],
    }
  if (values.yes !== true) await confirm(call, shown.lines, '--dry-run shows what it would do')
  return replyResult(operation, await plane.call(name, body as never))
}

async function reasonOf({ values, keyboard }: Call<Options>): Promise<string> {
  const given = values.reason ?? (await keyboard?.ask('Why do you do this?'))
  if (typeof given === 'string' && given !== '') return given
  throw misused('--reason is required: why you do this', "--reason 'what the journal is to keep'")
}

async function shownFirst(plane: AdminPlane, operation: Operation, body: Body) {
  const pairs = Object.entries(body).map(([name, value]) => [name, cellOf(name, value)] as const)
  const now = await whatIsNow(plane, operation.name, body)
  const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)
  const lines = [
    `${operation.summary}.`,
    ...indented([...pairsOf([...pairs, ['at', plane.url]])]),
    ...(now === null ? [] : ['Now:', ...indented(now)]),
  ]
  return { lines, now }
}

function replyResult({ name }: Operation, reply: unknown): Result {
  const own = linesOf[name]
  return { json: reply, lines: own === undefined ? replyLines(reply) : own(reply) }
}

export const admin: Command = family({
  name: 'admin',
  group: 'operating',
  summary: 'Inspect and operate a venue through its admin plane: markets, money, accounts',
  about:
    'Each operation of docs/operating/admin.md is a command here. A token comes from ' +
    'OPENPERP_ADMIN_TOKEN, or from a file that only you may read (--token-file, or ' +
    './secrets/operator.token, and ./secrets/money.token for what needs the scope money); ' +
    'never from a flag. Every action says why (--reason), shows what is so now and what it ' +
    'will do, and asks. --dry-run ends there; --yes does not ask, and without a terminal ' +
    'nothing is done unless it is given. The journal keeps who, what and why, and what was ' +
    'refused.',
  examples: [
    'openperp admin markets',
    "openperp admin market halt BTC --reason 'the feed is being repaired'",
    'openperp admin journal --limit 20',
  ],
  parts: [
    ...operations.flatMap((operation) =>
      (commandSpecs[operation.name] ?? [byPath(operation)]).map((said) =>
        commandOf(operation, said),
      ),
    ),
    rotateToken,
  ],
})
