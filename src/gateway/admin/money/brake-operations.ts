// The withdrawal brake (ACCT-11): its status, the withdrawals that it holds, and its triggers.

import type { BrakeView } from '../../../core/index.ts'
import { moneyText } from '../../../projections/market-text.ts'
import { brakeDefaults } from '../../../protocol/admin/operations/withdrawal-operations.ts'
import { PPM } from '../../../units/units.ts'
import type { Exchange } from '../../exchange.ts'
import { refusal } from '../../refusal.ts'
import { type AdminAnswers, noSubject, order } from '../admin-operation.ts'
import { moneyIn, rate } from '../money-operations.ts'

const minuteMs = 60_000
const ownersShown = 1_000

function pulledOf({ view }: Exchange, pulled: NonNullable<BrakeView['pulled']>) {
  const owners = [...pulled.owners].sort((a, b) => b.won - a.won)
  return {
    since: pulled.since,
    last: pulled.last,
    until: pulled.until,
    markets: pulled.markets.map((market) => view.markets.paramsOf(market).symbol),
    owners: owners.slice(0, ownersShown).map(({ account, until, won }) => ({
      account: view.accounts.addressOf(account),
      until,
      won: moneyText(won),
    })),
    owners_count: owners.length,
  }
}

function brakeOf(exchange: Exchange) {
  const brake = exchange.view.money.brakeAt(exchange.view.atMs)
  if (brake === null) return { enabled: false, ...brakeDefaults, pulled: null }
  const { fundPpm, profitAbove, holdMs, pulled } = brake
  return {
    enabled: true,
    fund_part: moneyText(fundPpm),
    profit_above: moneyText(profitAbove),
    minutes: Math.floor(holdMs / minuteMs),
    pulled: pulled === null ? null : pulledOf(exchange, pulled),
  }
}

export const brakeAnswers = {
  get_withdrawal_brake: ({ exchange }) => brakeOf(exchange),
  async set_withdrawal_brake(call) {
    const { enabled, ...requested } = call.request
    const part = requested.fund_part ?? brakeDefaults.fund_part
    const fundPpm = rate('fund_part', part)
    if (fundPpm < 0 || fundPpm > PPM)
      throw refusal('INVALID_PARAMETER', 'rules', `fund_part ${part} is outside 0 to 1`)
    const profitAbove = moneyIn(
      'profit_above',
      requested.profit_above ?? brakeDefaults.profit_above,
    )
    const holdMs = (requested.minutes ?? brakeDefaults.minutes) * minuteMs
    const setting = { fundPpm: enabled ? fundPpm : null, profitAbove, holdMs }
    await order(call, { type: 'SetWithdrawalBrake', ...setting }, noSubject)
    return brakeOf(call.exchange)
  },
} satisfies Partial<AdminAnswers>
