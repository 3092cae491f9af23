// Money in, and fees. Money out is in withdrawal-operations.ts, the reserves are in
// reserve-operations.ts.

import { isPaymentReference, paymentReferenceRule } from '../../protocol/admin/payment-reference.ts'
import { address, decimal } from '../../protocol/schemas/field-types.ts'
import { Type } from '../../protocol/schemas/typebox.ts'
import type { Ppm, Quote } from '../../units/units.ts'
import { apiError } from '../api-error.ts'
import { moneyText } from '../market-text.ts'
import { addressIn } from '../operations/known-address.ts'
import { refusal } from '../refusal.ts'
import { admin, order } from './admin-operation.ts'
import { counted, numberIn } from './read-number.ts'

export const moneyIn = (field: string, text: string): Quote =>
  numberIn(field, text, counted.money) as Quote

export const deposit = admin({
  name: 'credit_deposit',
  http: 'POST /deposits',
  scope: 'money',
  summary:
    'Credit a deposit; the same one again credits nothing, the reference of another one is a ' +
    'conflict (409)',
  request: Type.Object({
    account: address('Who gets it'),
    amount: decimal('USD'),
    reference: Type.String({
      ...{ minLength: 1, maxLength: 128 },
      description:
        'Your id of the deposit: characters that one sees in any script (NFC), without spaces',
    }),
  }),
  reply: Type.Object({ balance: Type.String(), credited: Type.Boolean() }),
  async handle(call) {
    const account = addressIn('account', call.request.account)
    const amount = moneyIn('amount', call.request.amount)
    const { reference } = call.request
    const { view } = call.exchange
    // Asking twice is how a payment system makes sure; the second answer says nothing was credited.
    const again = () => {
      const balance = view.accounts.balanceOf(view.accounts.idOf(account))
      return { balance: moneyText(balance), credited: false }
    }
    const before = view.money.depositUnder(reference)
    const sameAccount = before?.account === view.accounts.idOf(account)
    if (before !== null && sameAccount && before.amount === amount) return again()
    // Only of what is new: one that was credited under older rules is still known.
    if (!isPaymentReference(reference))
      throw apiError('MALFORMED_REQUEST', `reference ${paymentReferenceRule}`)
    const command = { type: 'Deposit', address: account, amount, reference } as const
    const events = await order(call, command, { account, params: null }, ['DEPOSIT_REFERENCE_USED'])
    const credited = events.find((event) => event.type === 'Deposited')
    // Both were on their way at once, and the other one was first.
    if (credited === undefined) return again()
    return { balance: moneyText(credited.balance), credited: true }
  },
})

export const rate = (field: string, text: string): Ppm => numberIn(field, text, counted.rate) as Ppm

/** FEE-2. */
const tierRule =
  'the volumes of the tiers must rise from 0, a rate be 0.01 at most, a taker_fee_rate 0 at ' +
  'least, and no rebate (a maker_fee_rate below 0) be larger than the lowest taker_fee_rate'

export const setFeeTiers = admin({
  name: 'set_fee_tiers',
  http: 'POST /fees',
  scope: 'operate',
  summary: 'Replace the fee tiers; in force at once',
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
