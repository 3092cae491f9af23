// Reserves of the exchange: balances, transfers, the insurance fund's share of the fees, and the
// proof of reserves.

import type { AccountId, ExchangeView, Reserve } from '../../core/index.ts'
import { moneyText } from '../../projections/market-text.ts'
import { PPM, type Ppm } from '../../units/units.ts'
import { apiError } from '../api-error.ts'
import type { Exchange } from '../exchange.ts'
import { addressIn } from '../known-address.ts'
import { summaryReply } from '../operations/account/reserve-proofs.ts'
import { refusal, unknownMarket } from '../refusal.ts'
import { type AdminAnswers, noSubject, order } from './admin-operation.ts'
import { moneyIn, rate } from './money-operations.ts'

function reservesOf({ money, markets }: ExchangeView): readonly Reserve[] {
  const backstops = markets.all().map(({ id }) => money.backstopOf(id))
  return [money.fees, money.insurance, money.deficit, ...backstops]
}

/** Finds the account with the name of a reserve, or with an address. */
function accountIn(view: ExchangeView, field: string, text: string): AccountId {
  if (text === 'fees' || text === 'insurance') return view.money[text].account
  if (text === 'backstop')
    throw apiError(
      'MALFORMED_REQUEST',
      `${field} backstop: each market has one; give its address, or symbol and no from and to`,
    )
  const reserve = reservesOf(view).find(({ address }) => address === text)
  if (reserve !== undefined) return reserve.account
  const account = view.accounts.idOf(addressIn(field, text))
  if (account !== 0) return account as AccountId
  throw apiError('MALFORMED_REQUEST', `${field} ${text} is neither a reserve nor an account`)
}

type Place = string | null | undefined
type MoveRequest = Readonly<{ symbol?: Place; from?: Place; to?: Place; amount: string }>

function moveOf(view: ExchangeView, requested: MoveRequest) {
  const { from, to } = requested
  const amount = moneyIn('amount', requested.amount)
  if (from != null && to != null && requested.symbol == null)
    return { from: accountIn(view, 'from', from), to: accountIn(view, 'to', to), amount }
  if (from != null || to != null || requested.symbol == null)
    throw apiError('MALFORMED_REQUEST', 'give from and to, or the symbol of a backstop')
  const market = view.symbols.get(requested.symbol)
  if (market === undefined) throw unknownMarket('parameter')
  const [fund, backstop] = [view.money.insurance.account, view.money.backstopOf(market).account]
  if (amount < 0) return { from: backstop, to: fund, amount: -amount as typeof amount }
  return { from: fund, to: backstop, amount }
}

/** Throws unless the account may be used by operators: a stolen token must not give access to
 *  traders' money. */
function requireOperators({ view, settings: { operatorAccounts } }: Exchange, from: number): void {
  if (operatorAccounts === null || reservesOf(view).some(({ account }) => account === from)) return
  if (operatorAccounts.includes(view.accounts.addressOf(from))) return
  const who = 'from must be a reserve or an account of the operator, which operatorAccounts of the'
  const how = 'configuration names (OPENPERP_OPERATOR_ACCOUNTS; a start reads it)'
  throw refusal('UNSUPPORTED_OPERATION', 'rules', `${who} ${how}`)
}

/** MARKET-3. */
const moveRule =
  'money moves between two of fees, insurance and backstops, or between one of them and an ' +
  'account; the deficit is not money'

function replyOf(
  view: ExchangeView,
  moved: Readonly<{ from: number; to: number; fromBalance?: number; toBalance?: number }>,
) {
  const balanceOf = (account: number) => view.accounts.balanceOf(account as AccountId)
  const backstops = view.markets.all().map(({ id }) => view.money.backstopOf(id))
  const touched = backstops.find(({ account }) => [moved.from, moved.to].includes(account))
  return {
    from_balance: moneyText(moved.fromBalance ?? balanceOf(moved.from)),
    to_balance: moneyText(moved.toBalance ?? balanceOf(moved.to)),
    insurance: moneyText(view.money.insurance.balance),
    backstop: touched === undefined ? null : moneyText(touched.balance),
  }
}

function part(field: string, text: string): Ppm {
  const ppm = rate(field, text)
  if (ppm >= 0 && ppm <= PPM) return ppm
  throw refusal('INVALID_PARAMETER', 'rules', `${field} ${text} is outside 0 to 1`)
}

export const reserveAnswers = {
  get_reserves({ exchange: { view } }) {
    const { money, markets } = view
    return {
      fees: moneyText(money.fees.balance),
      insurance: moneyText(money.insurance.balance),
      deficit: moneyText(money.deficit.balance),
      fees_address: money.fees.address,
      insurance_address: money.insurance.address,
      deficit_address: money.deficit.address,
      insurance_share: moneyText(money.insuranceSharePpm),
      insurance_daily_max: moneyText(money.fundDailyMax),
      insurance_daily_limit: moneyText(money.fundToday.max),
      insurance_paid_today: moneyText(money.fundToday.paid),
      deposits: moneyText(money.deposits),
      withdrawn: moneyText(money.withdrawn),
      backstops: markets.all().map(({ id, params }) => {
        const { address, balance } = money.backstopOf(id)
        return { symbol: params.symbol, account: address, balance: moneyText(balance) }
      }),
    }
  },
  async move_reserve(call) {
    const { view } = call.exchange
    const by = call.by.who
    const command = { type: 'MoveReserve', ...moveOf(view, call.request), by } as const
    requireOperators(call.exchange, command.from)
    const events = await order(call, command, noSubject, ['UNSUPPORTED_OPERATION'])
    const held = events.find((event) => event.type === 'CreditHeld')
    if (held !== undefined) return { ...replyOf(view, command), waiting_credit_id: held.credit }
    const moved = events.find((event) => event.type === 'ReserveMoved')
    if (moved === undefined) throw refusal('UNSUPPORTED_OPERATION', 'rules', moveRule)
    return { ...replyOf(view, moved), waiting_credit_id: null }
  },
  async set_insurance_share(call) {
    const sharePpm = part('share', call.request.share)
    await order(call, { type: 'SetInsuranceShare', sharePpm }, noSubject)
    return { share: moneyText(sharePpm) }
  },
  async set_insurance_daily_max(call) {
    const dailyMax = part('daily_max', call.request.daily_max)
    await order(call, { type: 'SetFundDailyMax', dailyMax }, noSubject)
    return { daily_max: moneyText(dailyMax) }
  },
  async get_reserve_proof({ exchange }) {
    const newest = await exchange.reserves.newest()
    return { newest: newest === null ? null : summaryReply(newest) }
  },
  async prove_reserves(call) {
    await call.operator.prove()
    const made = summaryReply((await call.exchange.reserves.newest())!)
    // The journal stores the root with operator and reason, so that it cannot be changed later.
    const text = JSON.stringify({ seq: made.seq, root: made.root })
    await order(call, { type: 'KeepNote', name: 'reserves', text }, noSubject)
    return made
  },
} satisfies Partial<AdminAnswers>
