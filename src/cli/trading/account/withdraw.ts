// `openperp withdraw`: requests a withdrawal, and shows the withdrawable amount and earlier
// withdrawals.

import type { Client } from '../../../client/client.ts'
import { NetworkFailure, OutcomeUnknown, TimeoutFailure } from '../../../client/errors.ts'
import type { FieldsOf } from '../../../client/methods.ts'
import { formatDecimal, parseDecimal } from '../../../units/decimal.ts'
import { confirm } from '../../admin/confirm.ts'
import {
  accountOf,
  endOf,
  readingClient,
  replyTo,
  signerOptions,
  signingClient,
  urlOf,
} from '../../connection.ts'
import { type Call, command, type Result } from '../../frame/command.ts'
import { CliError, misused } from '../../frame/exit-codes.ts'
import { pairsOf, tableOf } from '../../frame/screen.ts'

const options = {
  ...signerOptions,
  preview: { about: 'show what would be withdrawn, and stop' },
  yes: { about: 'do not ask for confirmation' },
} as const
type WithdrawCall = Call<typeof options>

/** Money of the API, in micro-dollars. */
const decimals = 6
const listedMax = 20
const pageRows = 200
const pagesMax = 5

export const withdraw = command({
  name: 'withdraw',
  group: 'trading',
  summary: 'Request a withdrawal, or show earlier requests',
  about:
    'The amount leaves the balance immediately and is pending until the operator pays it or ' +
    'returns it. Payment can be delayed until the operator approves it, for instance because of ' +
    'its amount, a limit of the day, or the withdrawal brake after a large loss of the insurance ' +
    'fund. In a terminal the request is confirmed first; scripts pass --yes. The ' +
    'destination of the payment is agreed with the operator, not here.',
  arguments: [{ name: 'amount', about: 'USD (default: show pending and earlier withdrawals)' }],
  options,
  examples: [
    'openperp withdraw',
    'openperp withdraw 250 --preview',
    'openperp withdraw 250.50 --yes --json',
  ],
  async run(call) {
    const [text] = call.words
    const { preview, yes } = call.values
    if (text !== undefined) return requested(call, text)
    if (preview === true || yes === true)
      throw misused('the amount is required', 'openperp withdraw 250 --preview')
    return listed(call)
  },
})

const micro = (text: string): number => {
  const read = parseDecimal(text, decimals)
  return read.ok ? read.value : 0
}

function amountIn(text: string): string {
  const read = parseDecimal(text, decimals)
  if (read.ok && read.value > 0) return text
  const most = formatDecimal(Number.MAX_SAFE_INTEGER, decimals)
  throw misused(
    `${text} is not an amount`,
    `USD above 0 with at most six decimals, such as 250.50, and at most ${most}`,
  )
}

/** State of the account before anything is sent. */
async function plannedOf(call: WithdrawCall, text: string) {
  const account = accountOf(call)
  const client = readingClient(call)
  const row = await replyTo(call, client.getAccount({ account }))
  const { limits } = await replyTo(call, client.getRisk({}))
  const min = limits.withdrawal_min
  const available = row.available_to_withdraw
  const problem =
    micro(text) < micro(min)
      ? `${text} USD is below the minimum of ${min} USD`
      : micro(text) > micro(available)
        ? `${text} USD is more than the withdrawable ${available} USD`
        : null
  const after = formatDecimal(micro(row.balance) - micro(text), decimals)
  const plan = { account, amount: text, balance_after: after, available, min, problem }
  const lines = pairsOf([
    ['account', account],
    ['withdraw', `${text} USD`],
    ['balance', `${row.balance} USD, then ${after} USD`],
    ['available to withdraw', `${available} USD`],
    ['pending', `${row.pending_balance} USD`],
    ['limits', `at least ${min} USD; ${limits.withdrawal_daily_max} USD a UTC day`],
  ])
  return { plan, lines, problem }
}

async function requested(call: WithdrawCall, text: string): Promise<Result> {
  const amount = amountIn(text)
  const client = signingClient(call)
  const { plan, lines, problem } = await plannedOf(call, amount)
  const { preview, yes } = call.values
  if (preview === true) {
    const verdict =
      problem === null ? 'accepted  as far as can be seen before' : `refused  ${problem}`
    return { json: plan, lines: [verdict, ...lines], end: problem === null ? 'yes' : 'refused' }
  }
  if (yes !== true) await confirm(call, lines, '--preview only shows it')
  const { withdrawal_id } = await sent(call, client, amount)
  const { pending_balance } = await replyTo(call, client.getAccount({ account: plan.account }))
  const { account } = plan
  return {
    json: { withdrawal_id, account, amount, pending_balance },
    lines: [
      `withdrawal ${withdrawal_id}: ${amount} USD requested; pending until the operator pays it`,
      '`openperp withdraw` shows its status',
    ],
  }
}

/** After a lost answer the outcome is unknown: the money may be on its way. */
async function sent(call: WithdrawCall, client: Client, amount: string) {
  try {
    return await client.withdraw({ amount })
  } catch (error) {
    if (error instanceof NetworkFailure && isUnsent(error)) throw endOf(call, error)
    if (
      error instanceof NetworkFailure ||
      error instanceof TimeoutFailure ||
      error instanceof OutcomeUnknown
    )
      throw new CliError('unreachable', `whether it was requested is not known: ${error.message}`, {
        hint: '`openperp withdraw` shows the pending ones: look there before you request it again',
        facts: { url: urlOf(call), operation: 'withdraw' },
        cause: error,
      })
    const said = { symbol: '', flags: {} }
    throw endOf({ ...call, said }, error)
  }
}

const isUnsent = ({ cause }: NetworkFailure): boolean =>
  /ECONNREFUSED|ENOTFOUND/.test(`${(cause as { cause?: { code?: string } })?.cause?.code}`)

const kinds: Readonly<Record<string, string>> = {
  withdraw: 'requested',
  withdraw_completed: 'paid',
  withdraw_failed: 'returned',
}

async function listed(call: WithdrawCall): Promise<Result> {
  const account = accountOf(call)
  const client = readingClient(call)
  const row = await replyTo(call, client.getAccount({ account }))
  const steps = await stepsOf(call, client, account)
  const { pending_balance, available_to_withdraw } = row
  const cells = steps.map(({ created_at, step, amount, pending_balance: pending }) => [
    new Date(created_at).toISOString(),
    step,
    amount,
    pending,
  ])
  return {
    json: { account, pending_balance, available_to_withdraw, steps },
    lines: [
      ...pairsOf([
        ['account', account],
        ['available to withdraw', `${available_to_withdraw} USD`],
        ['pending', `${pending_balance} USD`],
      ]),
      '',
      ...(cells.length === 0
        ? ['no withdrawals among the latest changes of the balance']
        : tableOf(['at', 'what', 'USD', 'pending after'], cells)),
    ],
  }
}

/** Newest first. A payment changes the pending amount, and not the balance. */
async function stepsOf(call: WithdrawCall, client: Client, account: string) {
  const found: { created_at: number; step: string; amount: string; pending_balance: string }[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesMax && found.length < listedMax; page += 1) {
    const query: FieldsOf<'get_balance_history'> = { account, limit: pageRows, cursor }
    const { rows, next_cursor } = await replyTo(call, client.getBalanceHistory(query))
    for (const { event_type, created_at, amount, pending_balance } of rows) {
      const step = kinds[event_type]
      if (step !== undefined) found.push({ created_at, step, amount, pending_balance })
    }
    cursor = next_cursor
    if (cursor === null) break
  }
  return found.slice(0, listedMax)
}
