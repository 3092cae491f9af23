// Describes an action of an operator for people: dollars, base units, symbols and addresses replace
// the numbers of the core. The exact command is shown next to the description.

import type { Command, CommandOf, CommandType, ExchangeView } from '../../../core/index.ts'
import {
  microPriceText,
  moneyText,
  ppmText,
  priceText,
  sizeText,
} from '../../../projections/market-text.ts'
import { changeWire } from '../../parameters/market-fields.ts'

type Facts = Readonly<Record<string, unknown>>
type Writers = Readonly<{ [T in CommandType]?: (of: CommandOf<T>, view: ExchangeView) => Facts }>

const usd = (amount: number | null) => (amount === null ? 'none' : `${moneyText(amount)} USD`)
const symbolOf = ({ markets }: ExchangeView, market: number) => markets.paramsOf(market).symbol

/** The name of an account: fees, the insurance fund, a backstop, or the address. */
function placeOf({ money, markets, accounts }: ExchangeView, account: number): string {
  const address = accounts.addressOf(account)
  if (address === money.fees.address) return 'fees'
  if (address === money.insurance.address) return 'insurance'
  const backed = markets.all().find(({ params }) => params.backstopAddress === address)
  return backed === undefined ? address : `backstop of ${backed.params.symbol}`
}

const ofWithdrawal = ({ withdrawal }: { withdrawal: number }) => ({ withdrawal_id: withdrawal })

const writers: Writers = {
  Deposit: ({ address, amount, reference }) => ({
    ...{ account: address, amount: usd(amount), reference },
  }),
  CreditDeposit: ({ address, amount, reference }) => ({
    ...{ account: address, amount: usd(amount), reference },
  }),
  ApproveCredit: ({ credit }) => ({ credit_id: credit }),
  DropCredit: ({ credit }) => ({ credit_id: credit }),
  ApproveWithdrawal: ofWithdrawal,
  CompleteWithdrawal: ofWithdrawal,
  FailWithdrawal: ofWithdrawal,
  SetWithdrawalLimits: ({ approvalAbove, dailyMax, creditApprovalAbove: credit }) => ({
    ...{ approval_above: usd(approvalAbove), daily_max: usd(dailyMax) },
    ...(credit === undefined ? {} : { credit_approval_above: usd(credit) }),
  }),
  SetWithdrawalBrake: ({ fundPpm, profitAbove, holdMs }) =>
    fundPpm === null
      ? { enabled: false }
      : {
          ...{ fund_part: ppmText(fundPpm), profit_above: usd(profitAbove) },
          minutes: holdMs / 60_000,
        },
  KeepNote: ({ name, text }) => (text === null ? { name } : { name, text }),
  MoveReserve: ({ from, to, amount }, view) => ({
    ...{ amount: usd(amount), from: placeOf(view, from), to: placeOf(view, to) },
  }),
  SetInsuranceShare: ({ sharePpm }) => ({ share: ppmText(sharePpm) }),
  SetFundDailyMax: ({ dailyMax }) => ({ daily_max: ppmText(dailyMax) }),
  SetFeeTiers: ({ tiers }) => ({
    tiers: tiers
      .map(({ volumeDollars, makerPpm, takerPpm }) => {
        return `${ppmText(makerPpm)}/${ppmText(takerPpm)} from ${volumeDollars} USD`
      })
      .join('; '),
  }),
  FreezeAccount: ({ account, frozen }, { accounts }) => ({
    ...{ account: accounts.addressOf(account), frozen },
  }),
  CancelAllOrders: ({ account, market }, view) => ({
    account: view.accounts.addressOf(account),
    symbol: market === null ? 'all' : symbolOf(view, market),
  }),
  SetOwnerLimit: ({ owner, market, lots }, { accounts, markets }) => {
    const params = markets.paramsOf(market)
    const amount = lots === null ? 'none' : `${sizeText(params, lots)} ${params.baseAsset}`
    return { account: accounts.addressOf(owner), symbol: params.symbol, amount }
  },
  ListMarket: ({ params, oracle }) => ({
    ...{ symbol: params.symbol, oracle: microPriceText(params, oracle) },
    ...changeWire(params, params),
  }),
  ChangeMarket: ({ market, change, immediate }, { markets }) => {
    const params = markets.paramsOf(market)
    const when = immediate === true ? { immediate } : {}
    return { symbol: params.symbol, ...changeWire(change, params), ...when }
  },
  CancelMarketChange: ({ market, change }, view) => ({
    ...{ symbol: symbolOf(view, market), change_id: change },
  }),
  SetMarketMode: ({ market, mode }, view) => ({ symbol: symbolOf(view, market), mode }),
  SettleMarket: ({ market, price }, { markets }) => {
    const params = markets.paramsOf(market)
    return { symbol: params.symbol, price: priceText(params, price) }
  },
}

/** After a revert of a sandbox, the market or account of an earlier action may no longer exist. */
function isThere(command: Command, { markets, accounts }: ExchangeView): boolean {
  const { market, account, owner, from, to } = command as Partial<Record<string, unknown>>
  const isAccount = (each: unknown) => typeof each !== 'number' || each <= accounts.count
  return (
    [account, owner, from, to].every(isAccount) &&
    (typeof market !== 'number' || markets.all().some(({ id }) => id === market))
  )
}

/** Describes a command of the journal. Commands without a description show their own fields. */
export function actionText(command: Command, view: ExchangeView): string {
  const { type, ...rest } = command
  const known = isThere(command, view) ? writers[type] : undefined
  const write = known as ((of: Command, view: ExchangeView) => Facts) | undefined
  return Object.entries(write === undefined ? rest : write(command, view))
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')
}
