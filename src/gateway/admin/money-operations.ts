import type { Ppm, Quote } from '../../units/units.ts'
import { counted, numberIn } from '../parameters/read-number.ts'
import { refusal } from '../refusal.ts'
import { type AdminAnswers, noSubject, order } from './admin-operation.ts'

export const moneyIn = (field: string, text: string): Quote =>
  numberIn(field, text, counted.money) as Quote

export const rate = (field: string, text: string): Ppm => numberIn(field, text, counted.rate) as Ppm

/** FEE-2. */
const tierRule =
  'the volumes of the tiers must rise from 0, a rate be 0.01 at most, a taker_fee_rate 0 at ' +
  'least, and no rebate (a maker_fee_rate below 0) be larger than the lowest taker_fee_rate'

export const feeAnswers = {
  async set_fee_tiers(call) {
    const tiers = call.request.tiers.map((tier) => ({
      volumeDollars: tier.volume,
      makerPpm: rate('maker_fee_rate', tier.maker_fee_rate),
      takerPpm: rate('taker_fee_rate', tier.taker_fee_rate),
    }))
    const events = await order(call, { type: 'SetFeeTiers', tiers }, noSubject, [
      'INVALID_PARAMETER',
    ])
    if (events.some(({ type }) => type === 'CommandRejected'))
      throw refusal('INVALID_PARAMETER', 'rules', tierRule)
    return { tiers: tiers.length }
  },
} satisfies Partial<AdminAnswers>
