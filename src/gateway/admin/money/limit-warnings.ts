// Warnings about limits of deposits and withdrawals that have no effect (ACCT-8, ACCT-10). Logged
// at startup and after each change. The change is accepted, because it may be intended.

import type { WithdrawalLimits } from '../../../core/index.ts'
import { moneyText } from '../../../projections/market-text.ts'
import type { TokenHolder } from '../access/tokens.ts'

/** Returns complete sentences; empty if every limit has an effect. `ownerDailyMax`: maximum that
 *  the rules let an owner withdraw per day. */
export function limitWarnings(
  { approvalAbove, dailyMax, creditApprovalAbove }: WithdrawalLimits,
  tokens: readonly Pick<TokenHolder, 'name' | 'scopes'>[],
  ownerDailyMax: number,
): readonly string[] {
  const warnings: string[] = []
  if (approvalAbove === null && dailyMax === null && creditApprovalAbove === null)
    warnings.push(
      'no limit of money is set: a single token with scope money can credit any amount and pay ' +
        'any withdrawal; set daily_max, approval_above and credit_approval_above',
    )
  if (approvalAbove !== null) {
    const above = `approval_above (${moneyText(approvalAbove)} USD)`
    if (dailyMax === null)
      warnings.push(
        `${above} without daily_max: an owner with many accounts of different keys can withdraw ` +
          'that much a day with each of them, without any approval; set daily_max as well',
      )
    else if (approvalAbove >= dailyMax)
      warnings.push(
        `${above} is not below daily_max (${moneyText(dailyMax)} USD), so no withdrawal ever ` +
          'needs two approvals: what is larger than daily_max cannot be paid at all; lower it',
      )
    if (approvalAbove >= ownerDailyMax)
      warnings.push(
        `${above} is not below what an owner may withdraw on a day, so no withdrawal ever needs ` +
          'two approvals; lower it',
      )
    if (creditApprovalAbove === null)
      warnings.push(
        `${above} without credit_approval_above: one token with scope money can credit any ` +
          'amount, to as many accounts as it takes, and take back any payable withdrawal; set ' +
          'credit_approval_above as well',
      )
  }
  if (approvalAbove !== null || creditApprovalAbove !== null) warnings.push(...ofTokens(tokens))
  return warnings
}

function ofTokens(tokens: readonly Pick<TokenHolder, 'name' | 'scopes'>[]): string[] {
  const withMoney = tokens.filter(({ scopes }) => scopes.includes('money'))
  const names = new Set(withMoney.map(({ name }) => name))
  const warnings: string[] = []
  if (names.size < 2)
    warnings.push(
      `tokens of ${names.size} names have the scope money: what needs two approvals never gets ` +
        'them; give a second person a token',
    )
  const both = withMoney.filter(({ scopes }) => scopes.includes('operate'))
  if (both.length > 0)
    warnings.push(
      `${both.map(({ name }) => name).join(', ')}: a token with the scopes money and operate can ` +
        'lift its own limits; give operate to another token',
    )
  return warnings
}
