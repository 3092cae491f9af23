// Converts a report to the command that an operator would send, under the same rules. A report that
// was applied before changes nothing. A report that contradicts an earlier one is refused, and an
// operator must resolve it.

import type { Command, ExchangeView, WithdrawalId } from '../../core/index.ts'
import { publishedKeyText } from '../../gateway/known-address.ts'
import { refusalWith } from '../../gateway/refusal.ts'
import { numbersOf } from '../../gateway/refusal-text.ts'
import type { AllHistory } from '../../projections/history/history-of.ts'
import type { By } from '../../sequencer/entry.ts'
import { type Outcome, ownEventsOf } from '../../sequencer/outcome.ts'
import { formatDecimal } from '../../units/decimal.ts'
import type { Quote } from '../../units/units.ts'
import type { Report } from './report.ts'

export type ApplyNeeds = Readonly<{
  mode: 'sandbox' | 'venue'
  exchange: Readonly<{
    seq(): number
    view(): ExchangeView
    submit(command: Command, by: By): Promise<Outcome>
  }>
  history: Pick<AllHistory, 'paymentsOf'>
}>

/** Result of a report. `known`: the report was applied before. `says`: why it was refused. */
export type Applied = 'applied' | 'known' | Readonly<{ says: string }>

/** Operator name in the journal, in place of the name of a token. */
const who = 'treasury'

export function applyReport(report: Report, needs: ApplyNeeds): Promise<Applied> {
  return report.type === 'deposit' ? credit(report, needs) : end(report, needs)
}

async function credit(
  { account, amount, reference }: Extract<Report, { type: 'deposit' }>,
  { exchange, mode }: ApplyNeeds,
): Promise<Applied> {
  const published = publishedKeyText(mode, account)
  if (published !== null) return { says: `Invalid public key in account: ${published}` }
  const view = exchange.view()
  const before = view.money.depositUnder(reference)
  if (before !== null && before.account === view.accounts.idOf(account) && before.amount === amount)
    return 'known'
  const command = { type: 'Deposit', address: account, amount: amount as Quote, reference } as const
  const why = `deposit ${reference}`
  return ordered(command, why, account, exchange)
}

async function end(
  report: Exclude<Report, { type: 'deposit' }>,
  { exchange, history }: ApplyNeeds,
): Promise<Applied> {
  const withdrawal = report.withdrawal as WithdrawalId
  const queued = exchange.view().money.withdrawals()
  if (queued.some((each) => each.withdrawal === withdrawal)) {
    const paid = report.type === 'completed'
    const command = { type: paid ? 'CompleteWithdrawal' : 'FailWithdrawal', withdrawal } as const
    const why = paid ? `paid, ${report.reference}` : `not paid: ${report.reason}`
    return ordered(command, why, '', exchange)
  }
  const steps = await history.paymentsOf(exchange.seq(), withdrawal)
  const last = steps.at(-1)
  if (last?.kind === `withdrawal.${report.type}`) return 'known'
  if (last === undefined) return { says: `there is no withdrawal ${withdrawal}` }
  const usd = formatDecimal(last.amount, 6)
  return {
    says:
      last.kind === 'withdrawal.failed'
        ? `withdrawal ${withdrawal} failed before, and its ${usd} USD are back in the account: ` +
          'if it was paid all the same, that is too much'
        : `withdrawal ${withdrawal} of ${usd} USD was completed before: it cannot fail any more`,
  }
}

async function ordered(
  command: Command,
  why: string,
  account: string,
  exchange: ApplyNeeds['exchange'],
): Promise<Applied> {
  const events = ownEventsOf(await exchange.submit(command, { who, why }))
  const rejected = events.find((event) => event.type === 'CommandRejected')
  if (rejected === undefined) return 'applied'
  if (rejected.rejection === 'DEPOSIT_REFERENCE_USED') return 'known'
  const subject = { account, params: null }
  const { message } = refusalWith(rejected.rejection, 'rules', subject, numbersOf(rejected))
  return { says: message }
}
