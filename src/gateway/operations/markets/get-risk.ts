import {
  type ExchangeView,
  limits,
  type MarketView,
  marketDefaults,
  type PriceRules,
  type Reserve,
  type RuleLimits,
} from '../../../core/index.ts'
import {
  moneyText,
  ppbText,
  ppmText,
  priceText,
  sizeText,
} from '../../../projections/market-text.ts'
import type { marketRisk } from '../../../protocol/schemas/market-replies.ts'
import type { Static } from '../../../protocol/schemas/typebox.ts'
import type { Exchange } from '../../exchange.ts'
import { unsigned } from '../../operation.ts'
import { changeWire } from '../../parameters/market-fields.ts'
import { priceAgeOf, sourcesApartIn } from '../../price-health.ts'
import { listedId, readableAccount, sightOf } from '../reading.ts'
import { keptWire, tierWire } from './risk-tier.ts'

export const getRisk = unsigned({
  name: 'get_risk',
  group: 'markets',
  handle(call) {
    const { request, exchange } = call
    const { symbol, account: address } = request
    const { view } = exchange
    const account = address == null ? 0 : readableAccount(call, address)
    const isOwners = address == null || sightOf(call, address) === 'all'
    const ownerLimit = (market: MarketView) => {
      const wire = () => ownerWire(view, account, market)
      return isOwners ? wire() : view.accounts.withoutWaiting(account, wire)
    }
    const only = symbol == null ? null : listedId(exchange, symbol)
    const markets = view.markets.all().filter(({ id }) => only === null || id === only)
    const { insurance, fees, deficit } = view.money
    return {
      markets: markets.map((market) => ({
        ...riskWire(exchange, market),
        owner_limit: account === 0 ? null : ownerLimit(market),
      })),
      insurance: reserveWire(insurance),
      fees: reserveWire(fees),
      deficit: reserveWire(deficit),
      limits: {
        ...boundsOf(view.ruleLimits),
        ...feedBounds(view.priceRules),
        fee_level_volumes: view.money.feeTiers.map(({ volumeDollars }) => `${volumeDollars}`),
      },
    }
  },
})

function ownerWire(view: ExchangeView, account: number, { id, params }: MarketView) {
  const interest = view.positions.ownerInterest(account, id)
  if (interest === null) return null
  const { reach, limit } = interest
  return {
    limit: sizeText(params, limit),
    used: sizeText(params, reach),
    left: sizeText(params, Math.max(0, limit - reach)),
  }
}

function reserveWire({ address, balance }: Reserve) {
  return { address, balance: moneyText(balance) }
}

function riskWire(
  exchange: Exchange,
  market: MarketView,
): Omit<Static<typeof marketRisk>, 'owner_limit'> {
  const { params } = market
  return {
    symbol: params.symbol,
    status: market.status,
    mode: market.mode,
    price_state: market.priceState,
    price_age_ms: priceAgeOf(exchange, market),
    sources_apart: sourcesApartIn(exchange, market),
    guarded_price: {
      long: priceText(params, market.guardedPrice(1)),
      short: priceText(params, market.guardedPrice(-1)),
    },
    stale_after_ms: params.staleAfterMs,
    observed_within_ms: params.observedWithinMs,
    min_sources: params.minSources,
    max_leverage: params.leverageMax,
    risk_tiers: market.tiers.map(tierWire),
    kept_tiers: market.keptTiers.map(({ until, tiers }) => ({ until, tiers: tiers.map(keptWire) })),
    pending_changes: market.announcedChanges.map(({ id, at, change }) => ({
      change_id: id,
      effective_at: at,
      change: changeWire(change, params),
    })),
    maintenance_tiers: market.maintenanceTiers.map(({ fromValue, fractionPpm, deduction }) => ({
      from_notional: moneyText(fromValue),
      maintenance_fraction: ppmText(fractionPpm),
      deduction: moneyText(deduction),
    })),
    band: { near: ppmText(params.bandNearPpm), far: ppmText(params.bandFarPpm) },
    // Half of the base maintenance fraction, rounded down (TRIG-3).
    stop_slippage_percent: ppmText(Math.floor(market.maintenanceTiers[0]!.fractionPpm / 2) * 100),
    speedbump_ms: params.speedBumpMs,
    open_interest: sizeText(params, market.openInterest),
    open_interest_cap: sizeText(params, params.openInterestMax),
    owner_interest_cap: sizeText(params, params.ownerInterestMax),
    open_interest_scaling: {
      lower: moneyText(params.openInterestLower),
      upper: moneyText(params.openInterestUpper),
    },
    impact_notional: moneyText(params.impactValue),
    funding_samples_min: params.fundingSamplesMin,
    funding_rate_clamp: ppbText(market.fundingRateMax),
    backstop: reserveWire(exchange.view.money.backstopOf(market.id)),
    backstop_notional_cap: moneyText(params.backstopValueMax),
    backstop_daily_loss_cap: moneyText(params.backstopDailyLossMax),
    liquidation: {
      fee_part: ppmText(params.liquidationFeePartPpm),
      fee_max: ppmText(params.liquidationFeePpmMax),
      concession: ppmText(params.liquidationConcessionPpm),
      dry_max: params.liquidationDryMax,
      step_max: moneyText(params.liquidationStepMax),
    },
  }
}

const boundsOf = (rules: RuleLimits) => ({
  orders_per_account: rules.ordersPerAccount,
  stops_per_account: rules.stopsPerAccount,
  levels_per_kind: rules.levelsPerKind,
  trailing_per_account: rules.trailingPerAccount,
  trailing_percent_min: ppmText(rules.trailPpmMin * 100),
  trailing_percent_max: ppmText(rules.trailPpmMax * 100),
  price_levels_per_side: rules.levelsPerSide,
  twaps_per_symbol: rules.twapsPerMarket,
  algos_per_symbol: rules.algosPerMarket,
  algo_refusals: rules.algoRefusals,
  steps_per_command: rules.stepsPerCommand,
  chases_per_owner: rules.chasesPerOwner,
  chase_step_ms: rules.chaseStepMs,
  chase_ms_max: rules.chaseMsMax,
  chase_look: rules.chaseLook,
  iceberg_parts: rules.icebergParts,
  iceberg_retry_ms: rules.icebergRetryMs,
  twap_seconds_min: rules.twapSecondsMin,
  twap_seconds_max: rules.twapSecondsMax,
  mmp_orders: rules.mmpOrders,
  mmp_ms_min: rules.mmpMsMin,
  mmp_ms_max: rules.mmpMsMax,
  batch_actions: rules.batchActions,
  batch_actions_each_signed: rules.batchActionsEach,
  subaccounts_per_account: rules.subaccountsPerAccount,
  agents_per_account: rules.agentsPerAccount,
  ips_per_agent: rules.ipsPerAgent,
  symbols_per_policy: rules.policyMarkets,
  armed_connections_per_account: rules.armedPerAccount,
  armed_connections_per_agent: rules.armedPerAgent,
  api_keys_per_account: rules.apiKeysPerAccount,
  signed_texts_per_account: limits.textsPerAccount,
  signed_texts_per_agent: limits.textsPerAgent,
  signed_texts_reserved: limits.textsReserved,
  untimed_texts_per_position: limits.untimedTextsPerPosition,
  untimed_texts_per_agent: limits.untimedTextsPerAgent,
  // 1 ppm is 0.0001 %.
  slippage_percent_max: ppmText(rules.slippagePpmMax * 100),
  schedule_cancel_ahead_ms: rules.scheduleAheadMsMin,
  expire_ahead_ms: rules.expireAheadMsMin,
  expiries_per_command: rules.expiriesPerCommand,
  exposure_max: moneyText(limits.moneyMax),
  withdrawal_min: moneyText(rules.withdrawalMin),
  withdrawal_daily_max: moneyText(rules.withdrawalDailyMax),
  withdrawals_pending: rules.withdrawalsPending,
  requirement_notice_ms: rules.requirementNoticeMs,
  immediate_notice_ms: rules.immediateNoticeMs,
})

const feedBounds = ({ cancelOnlyAfterMs }: PriceRules) => ({
  stale_after_ms: marketDefaults.staleAfterMs,
  cancel_only_after_ms: cancelOnlyAfterMs,
})
