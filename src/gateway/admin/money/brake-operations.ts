// The withdrawal brake (ACCT-11): how it stands, whom it holds, and what pulls it.

import type { BrakeView } from '../../../core/index.ts'
import { decimal, optional } from '../../../protocol/schemas/field-types.ts'
import { Type } from '../../../protocol/schemas/typebox.ts'
import { PPM } from '../../../units/units.ts'
import type { Exchange } from '../../exchange.ts'
import { moneyText } from '../../market-text.ts'
import { refusal } from '../../refusal.ts'
import { admin, order } from '../admin-operation.ts'
import { moneyIn, rate } from '../money-operations.ts'

const minuteMs = 60_000
const minutesMax = 1_440
/** Of a venue that is new (ACCT-11). */
const usual = { fund_part: '0.05', profit_above: '1000', minutes: 60 } as const

const reply = Type.Object({
  enabled: Type.Boolean(),
  fund_part: Type.String({
    description:
      'Fraction of the money in the fund since yesterday: a larger payment within a ' +
      'minute triggers the brake, but never up to 1000 USD',
  }),
  profit_above: Type.String({
    description:
      'USD that an owner must have won in its markets, until `minutes` after the payment',
  }),
  minutes: Type.Integer({ description: 'How long withdrawals of such an owner need an approval' }),
  pulled: Type.Union(
    [
      Type.Object({
        since: Type.Integer(),
        last: Type.Integer({ description: 'When the fund last paid this much' }),
        until: Type.Integer({
          description: 'When the last owner is released, if nothing more happens',
        }),
        markets: Type.Array(Type.String()),
        owners: Type.Array(
          Type.Object({
            account: Type.String({ description: 'Main account' }),
            until: Type.Integer({ description: 'When this owner is released' }),
            won: Type.String({ description: 'USD in those markets, as far as it counted' }),
          }),
          {
            description:
              'Owners whose withdrawals need an approval; highest profit first, maximum 1000',
          },
        ),
        owners_count: Type.Integer(),
      }),
      Type.Null(),
    ],
    { description: 'Null if it is not triggered; then no withdrawal is held' },
  ),
})

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
  if (brake === null) return { enabled: false, ...usual, pulled: null }
  const { fundPpm, profitAbove, holdMs, pulled } = brake
  return {
    enabled: true,
    fund_part: moneyText(fundPpm),
    profit_above: moneyText(profitAbove),
    minutes: Math.floor(holdMs / minuteMs),
    pulled: pulled === null ? null : pulledOf(exchange, pulled),
  }
}

export const getWithdrawalBrake = admin({
  name: 'get_withdrawal_brake',
  http: 'GET /withdrawals/brake',
  scope: 'read',
  summary: 'Show the withdrawal brake: its settings, and the owners that it holds now',
  request: Type.Object({}),
  reply,
  handle: ({ exchange }) => brakeOf(exchange),
})

export const setWithdrawalBrake = admin({
  name: 'set_withdrawal_brake',
  http: 'POST /withdrawals/brake',
  scope: 'operate',
  summary: 'Set the withdrawal brake, or turn it off; this releases all owners and resets it',
  request: Type.Object({
    enabled: Type.Boolean(),
    fund_part: optional(decimal(`As a fraction, 0 to 1 (default: ${usual.fund_part})`)),
    profit_above: optional(decimal(`USD (default: ${usual.profit_above})`)),
    minutes: optional(
      Type.Integer({
        ...{ minimum: 1, maximum: minutesMax },
        description: `(default: ${usual.minutes})`,
      }),
    ),
  }),
  reply,
  async handle(call) {
    const { enabled, ...requested } = call.request
    const part = requested.fund_part ?? usual.fund_part
    const fundPpm = rate('fund_part', part)
    if (fundPpm < 0 || fundPpm > PPM)
      throw refusal('INVALID_PARAMETER', 'rules', `fund_part ${part} is outside 0 to 1`)
    const profitAbove = moneyIn('profit_above', requested.profit_above ?? usual.profit_above)
    const holdMs = (requested.minutes ?? usual.minutes) * minuteMs
    const setting = { fundPpm: enabled ? fundPpm : null, profitAbove, holdMs }
    const noSubject = { account: '', params: null }
    await order(call, { type: 'SetWithdrawalBrake', ...setting }, noSubject)
    return brakeOf(call.exchange)
  },
})
