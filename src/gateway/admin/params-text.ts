// A parameter that a market cannot have, in the words and the units in which an operator writes it.

import type { MarketParams, ParamsFault } from '../../core/index.ts'
import { formatDecimal } from '../../units/decimal.ts'
import type { Exchange } from '../exchange.ts'
import { microPriceText, moneyText, priceText, sizeText } from '../market-text.ts'
import { refusal } from '../refusal.ts'

type Unit = (params: MarketParams, value: number) => string

const plain: Unit = (_, value) => String(value)
const letters: Unit = (_, value) => `${value} characters`
const usd: Unit = (_, value) => `${moneyText(value)} USD`
const percent: Unit = (_, value) => `${formatDecimal(value, 4)} %`

const written: Readonly<Record<ParamsFault['field'], Readonly<{ name: string; unit: Unit }>>> = {
  symbol: { name: 'symbol', unit: letters },
  baseAsset: { name: 'base_asset', unit: letters },
  backstopAddress: { name: 'backstop_address', unit: letters },
  tickSize: { name: 'tick_size', unit: plain },
  lotSize: { name: 'lot_size', unit: plain },
  value: { name: 'the step', unit: plain },
  scale: { name: 'decimals of tick_size or lot_size', unit: plain },
  unitValue: { name: 'tick_size × lot_size', unit: usd },
  tickMin: { name: 'min_tick', unit: priceText },
  tickMax: { name: 'max_tick', unit: priceText },
  leverageMax: { name: 'max_leverage', unit: plain },
  isolatedOnly: { name: 'isolated_only', unit: plain },
  speedBumpMs: { name: 'speedbump_ms', unit: plain },
  orderValueMin: { name: 'min_order_size', unit: usd },
  orderValueMax: { name: 'max_order_size', unit: usd },
  bandNearPpm: { name: 'band_near_percent', unit: percent },
  bandFarPpm: { name: 'band_far_percent', unit: percent },
  openInterestMax: { name: 'open_interest_cap', unit: sizeText },
  ownerInterestMax: { name: 'owner_interest_max', unit: sizeText },
  openInterestLower: { name: 'open_interest_lower', unit: usd },
  openInterestUpper: { name: 'open_interest_upper', unit: usd },
  impactValue: { name: 'impact_notional', unit: usd },
  fundingSamplesMin: { name: 'funding_samples_min', unit: plain },
  staleAfterMs: { name: 'stale_after_ms', unit: plain },
  observedWithinMs: { name: 'observed_within_ms', unit: plain },
  minSources: { name: 'min_sources', unit: plain },
  backstopValueMax: { name: 'backstop_value_max', unit: usd },
  backstopDailyLossMax: { name: 'backstop_daily_loss_max', unit: usd },
  liquidationFeePartPpm: { name: 'liquidation_fee_part_percent', unit: percent },
  liquidationFeePpmMax: { name: 'liquidation_fee_max_percent', unit: percent },
  liquidationConcessionPpm: { name: 'liquidation_concession_percent', unit: percent },
  liquidationDryMax: { name: 'liquidation_dry_max', unit: plain },
  liquidationStepMax: { name: 'liquidation_step_max', unit: usd },
  riskTiers: { name: 'risk_tiers', unit: plain },
  fromValue: { name: 'from_value of a tier', unit: usd },
  maxLeverage: { name: 'max_leverage of a tier', unit: plain },
  oracle: { name: 'oracle', unit: microPriceText },
}

/** MARKET-1. */
const interestRule =
  '; either both are 0, or open_interest_lower is above 0 and open_interest_upper above that'

function faultText(params: MarketParams, { field, value, least, most }: ParamsFault): string {
  const { name, unit } = written[field]
  const range = `${unit(params, least)} to ${unit(params, most)}`
  if (field === 'unitValue') return `${name} must be a whole number of micro-dollars, from ${range}`
  if (field === 'maxLeverage') return tierText(value, most + 1)
  const rule = field === 'openInterestLower' || field === 'openInterestUpper' ? interestRule : ''
  return `${name} ${unit(params, value)} is outside ${range}${rule}`
}

/** Below 1 there is no leverage, so that nothing comes after a tier of 1. */
function tierText(given: number, before: number): string {
  const rule = `max_leverage of a tier ${given} must be below that of the part before it, ${before}`
  return before > 1 ? `${rule}, and 1 or more` : `${rule}: no tier may come after a leverage of 1`
}

/** The engine refuses these too, and says no more than that. `oracle` null: it is listed. */
export function requireValid(
  { view }: Exchange,
  params: MarketParams,
  oracle: number | null,
): void {
  const fault = view.markets.faultOf(params, oracle)
  if (fault !== null) throw refusal('INVALID_PARAMETER', 'rules', faultText(params, fault))
}
