// Fees, and amounts of money in requests. Deposits and withdrawals are in money/, reserves in
// reserve-operations.ts.

import { decimal } from '../../protocol/schemas/field-types.ts'
import { Type } from '../../protocol/schemas/typebox.ts'
import type { Ppm, Quote } from '../../units/units.ts'
import { refusal } from '../refusal.ts'
import { admin, order } from './admin-operation.ts'
import { counted, numberIn } from './read-number.ts'

export const moneyIn = (field: string, text: string): Quote =>
  numberIn(field, text, counted.money) as Quote

export const rate = (field: string, text: string): Ppm => numberIn(field, text, counted.rate) as Ppm

/** FEE-2. */
const tierRule =
  'the volumes of the tiers must rise from 0, a rate be 0.01 at most, a taker_fee_rate 0 at ' +
  'least, and no rebate (a maker_fee_rate below 0) be larger than the lowest taker_fee_rate'

export const setFeeTiers = admin({
  name: 'set_fee_tiers',
  http: 'POST /fees',
  scope: 'operate',
  summary: 'Replace the fee tiers, effective immediately',
  request: Type.Object({
    tiers: Type.Array(
      Type.Object({
        volume: Type.Integer({ minimum: 0, description: 'Whole USD in 14 days' }),
        maker_fee_rate: decimal('As a fraction: 0.0002; negative is a rebate'),
        taker_fee_rate: decimal('As a fraction: 0.0005'),
      }),
      { minItems: 1, maxItems: 12 },
    ),
  }),
  reply: Type.Object({ tiers: Type.Integer() }),
  async handle(call) {
    const tiers = call.request.tiers.map((tier) => ({
      volumeDollars: tier.volume,
      makerPpm: rate('maker_fee_rate', tier.maker_fee_rate),
      takerPpm: rate('taker_fee_rate', tier.taker_fee_rate),
    }))
    const subject = { account: '', params: null }
    const events = await order(call, { type: 'SetFeeTiers', tiers }, subject, ['INVALID_PARAMETER'])
    if (events.some(({ type }) => type === 'CommandRejected'))
      throw refusal('INVALID_PARAMETER', 'rules', tierRule)
    return { tiers: tiers.length }
  },
})
