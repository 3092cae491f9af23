import type { AccountNumbers } from '../../../core/index.ts'
import { numbersSeen } from '../../../feeds/accounts/numbers-seen.ts'
import { moneyText, ppmText } from '../../../projections/market-text.ts'
import { ApiError } from '../../api-error.ts'
import { unsigned } from '../../operation.ts'
import { readableAccount, sightOf } from '../reading.ts'

export const getAccount = unsigned({
  name: 'get_account',
  group: 'account',
  notFound: true,
  handle(call) {
    const id = readableAccount(call, call.request.account)
    if (id === 0) throw noAccount()
    const { view } = call.exchange
    const numbers = numbersSeen(view, id, sightOf(call, call.request.account))
    return { ...accountWire(numbers), updated_at: view.atMs }
  },
})

/** Fields that clients of the public API read but that do not apply to this exchange. */
const spotless = {
  spot_balances: [] as [],
  spot_collateral: '0',
  spot_market_value: '0',
  pending_interest: '0',
  use_ltp_for_stop_orders: false,
} as const

/** 404 instead of 422: no rule rejected the request, the account does not exist. */
function noAccount(): ApiError {
  const explanation = 'this address has no account; a first deposit opens it (account not found)'
  return new ApiError('ACCOUNT_NOT_FOUND', explanation, { status: 404, code: 1 })
}

export function accountWire(numbers: AccountNumbers) {
  return {
    balance: moneyText(numbers.balance),
    fee_level: numbers.feeTier,
    maker_fee: ppmText(numbers.makerPpm),
    taker_fee: ppmText(numbers.takerPpm),
    volume_14d: `${numbers.volumeDollars}`,
    account_equity: moneyText(numbers.equity),
    cross_account_equity: moneyText(numbers.crossEquity),
    available_to_spend: moneyText(numbers.spendable),
    available_to_withdraw: moneyText(numbers.withdrawable),
    pending_balance: moneyText(numbers.pending),
    total_margin_used: moneyText(numbers.marginUsed),
    cross_mmr: moneyText(numbers.crossMaintenance),
    positions_count: numbers.positions,
    orders_count: numbers.orders,
    stop_orders_count: numbers.stops,
    ...spotless,
  }
}
