// The parameters of a market that an operator sets: one row per parameter, in the order of
// snapshots. Types, bounds, snapshots, the shape of commands, the admin API with its form and
// command line, and rejections are derived from this table. /info/risk does not compile without the
// parameters that it shows.

import { PPM } from '../units/units.ts'

/** The unit in which the core stores a parameter. The admin API uses decimals for prices, sizes and
 *  dollars, and percent for millionths. */
export type ParameterUnit =
  | 'text'
  | 'flag'
  | 'step'
  | 'tiers'
  | 'ticks'
  | 'lots'
  | 'quote'
  | 'ppm'
  | 'whole'

/** A number, or the name of a limit of the rules or of another parameter. */
type Bound =
  | number
  | 'leverageMax'
  | 'liquidationDryMost'
  | 'liquidationFeeMost'
  | 'liquidationFeePartMost'
  | 'minSourcesMax'
  | 'moneyMax'
  | 'observedWithinMsMax'
  | 'observedWithinMsMin'
  | 'orderValueMax'
  | 'riskTiers'
  | 'samplesPerEpoch'
  | 'speedBumpMsMax'
  | 'staleAfterMsMax'
  | 'staleAfterMsMin'
  | 'textLength'
  | 'tickMax'
  | 'tickMaxMost'

export type MarketParameter = Readonly<{
  /** Its name in the admin API. */
  wire: string
  unit: ParameterUnit
  /** From `least` to `most`; the length of a text, the number of tiers. */
  bounds: readonly [least: Bound, most: Bound] | null
  /** The default if a listing omits it. */
  initial?: number
  /** Whether it may change after the listing. With notice: a change that may raise the requirement
   *  of a position takes effect a day later (MARKET-2). */
  changes: boolean | 'with notice'
  /** Where /info/risk shows it. */
  risk: string | null
  about: string
}>

export const marketParameters = {
  symbol: {
    wire: 'symbol',
    unit: 'text',
    bounds: [1, 'textLength'],
    changes: false,
    risk: 'symbol',
    about: 'Name of the market',
  },
  baseAsset: {
    wire: 'base_asset',
    unit: 'text',
    bounds: [1, 'textLength'],
    changes: false,
    risk: null,
    about: 'Asset that is traded',
  },
  tickSize: {
    wire: 'tick_size',
    unit: 'step',
    bounds: null,
    changes: false,
    risk: null,
    about: 'Smallest price step',
  },
  lotSize: {
    wire: 'lot_size',
    unit: 'step',
    bounds: null,
    changes: false,
    risk: null,
    about: 'Smallest size step',
  },
  tickMin: {
    wire: 'min_tick',
    unit: 'ticks',
    bounds: [1, 'tickMax'],
    changes: true,
    risk: null,
    about: 'Lowest price; a change can only lower it',
  },
  tickMax: {
    wire: 'max_tick',
    unit: 'ticks',
    bounds: [1, 'tickMaxMost'],
    changes: true,
    risk: null,
    about: 'Highest price, at least 100,000 ticks at the listing; a change can only raise it',
  },
  leverageMax: {
    wire: 'max_leverage',
    unit: 'whole',
    bounds: [1, 'leverageMax'],
    changes: 'with notice',
    risk: 'max_leverage',
    about: 'Maximum leverage',
  },
  isolatedOnly: {
    wire: 'isolated_only',
    unit: 'flag',
    bounds: null,
    changes: false,
    risk: null,
    about: 'Whether all positions in the market are isolated',
  },
  orderValueMin: {
    wire: 'min_order_size',
    unit: 'quote',
    bounds: [1, 'orderValueMax'],
    changes: true,
    risk: null,
    about: 'Minimum order size, in USD',
  },
  orderValueMax: {
    wire: 'max_order_size',
    unit: 'quote',
    bounds: [1, 'moneyMax'],
    changes: true,
    risk: null,
    about: 'Maximum order size, in USD',
  },
  bandNearPpm: {
    wire: 'band_near_percent',
    unit: 'ppm',
    bounds: [0, PPM],
    changes: true,
    risk: 'band.near',
    about:
      'Maximum distance of a limit price past the mark, in percent: a bid above it, an ask below',
  },
  bandFarPpm: {
    wire: 'band_far_percent',
    unit: 'ppm',
    bounds: [0, PPM],
    changes: true,
    risk: 'band.far',
    about:
      'Maximum distance of a limit price away from the mark, in percent: a bid below, an ask above',
  },
  speedBumpMs: {
    wire: 'speedbump_ms',
    unit: 'whole',
    bounds: [0, 'speedBumpMsMax'],
    changes: true,
    risk: 'speedbump_ms',
    about: 'Speed bump: delay of orders that may take, in ms',
  },
  openInterestMax: {
    wire: 'open_interest_cap',
    unit: 'lots',
    bounds: [1, 'moneyMax'],
    changes: true,
    risk: 'open_interest_cap',
    about: 'Maximum open interest, in base units',
  },
  ownerInterestMax: {
    wire: 'owner_interest_max',
    unit: 'lots',
    bounds: [1, 'moneyMax'],
    changes: true,
    risk: 'owner_interest_cap',
    about:
      'Maximum of the positions and open orders of one owner, in all its accounts, in base units ' +
      '(default: a quarter of open_interest_cap). If it is not below open_interest_cap, only the ' +
      'cap applies',
  },
  openInterestLower: {
    wire: 'open_interest_lower',
    unit: 'quote',
    bounds: null,
    changes: 'with notice',
    risk: 'open_interest_scaling.lower',
    about:
      'Open interest in USD above which the initial margin grows. If both bounds are 0, it does ' +
      'not grow',
  },
  openInterestUpper: {
    wire: 'open_interest_upper',
    unit: 'quote',
    bounds: null,
    changes: 'with notice',
    risk: 'open_interest_scaling.upper',
    about: 'Open interest in USD at which the initial margin is the full notional',
  },
  riskTiers: {
    wire: 'risk_tiers',
    unit: 'tiers',
    bounds: [0, 'riskTiers'],
    changes: 'with notice',
    risk: 'risk_tiers',
    about: 'Tiers above the first, which is (0, max_leverage)',
  },
  impactValue: {
    wire: 'impact_notional',
    unit: 'quote',
    bounds: [1, 'moneyMax'],
    changes: true,
    risk: 'impact_notional',
    about: 'Order size in USD for which impact prices are computed',
  },
  fundingSamplesMin: {
    wire: 'funding_samples_min',
    unit: 'whole',
    bounds: [1, 'samplesPerEpoch'],
    initial: 360,
    changes: true,
    risk: 'funding_samples_min',
    about:
      'Minimum premium samples in an hour, one every 5 seconds; with fewer, its funding ' +
      'rate is 0',
  },
  staleAfterMs: {
    wire: 'stale_after_ms',
    unit: 'whole',
    bounds: ['staleAfterMsMin', 'staleAfterMsMax'],
    initial: 4_500,
    changes: true,
    risk: 'stale_after_ms',
    about: 'Maximum age of a price for orders to match; after that the market is stale',
  },
  observedWithinMs: {
    wire: 'observed_within_ms',
    unit: 'whole',
    bounds: ['observedWithinMsMin', 'observedWithinMsMax'],
    initial: 1_000,
    changes: true,
    risk: 'observed_within_ms',
    about: 'Maximum age of an observed price that releases waiting orders',
  },
  minSources: {
    wire: 'min_sources',
    unit: 'whole',
    bounds: [1, 'minSourcesMax'],
    initial: 2,
    changes: true,
    risk: 'min_sources',
    about: 'Minimum number of fresh sources for a price',
  },
  backstopAddress: {
    wire: 'backstop_address',
    unit: 'text',
    bounds: [1, 'textLength'],
    changes: false,
    risk: 'backstop.address',
    about: 'Address of its backstop account; its key should not exist',
  },
  backstopValueMax: {
    wire: 'backstop_value_max',
    unit: 'quote',
    bounds: [0, 'moneyMax'],
    changes: true,
    risk: 'backstop_notional_cap',
    about: 'Maximum position of the backstop, in USD',
  },
  backstopDailyLossMax: {
    wire: 'backstop_daily_loss_max',
    unit: 'quote',
    bounds: [0, 'moneyMax'],
    changes: true,
    risk: 'backstop_daily_loss_cap',
    about: 'Maximum loss of the backstop in a UTC day, in USD',
  },
  liquidationFeePartPpm: {
    wire: 'liquidation_fee_part_percent',
    unit: 'ppm',
    bounds: [0, 'liquidationFeePartMost'],
    initial: 400_000,
    changes: true,
    risk: 'liquidation.fee_part',
    about: 'Fee of a liquidated side, in percent of its maintenance fraction, 0 to 50',
  },
  liquidationFeePpmMax: {
    wire: 'liquidation_fee_max_percent',
    unit: 'ppm',
    bounds: [0, 'liquidationFeeMost'],
    initial: 7_500,
    changes: true,
    risk: 'liquidation.fee_max',
    about: 'Maximum of that fee, in percent of the value, 0 to 25',
  },
  liquidationConcessionPpm: {
    wire: 'liquidation_concession_percent',
    unit: 'ppm',
    bounds: [0, PPM],
    initial: 500_000,
    changes: true,
    risk: 'liquidation.concession',
    about:
      'Part of its maintenance margin that a liquidation may cost a position, in percent, 0 to ' +
      '100: distance of a step from the mark, and margin included in a takeover',
  },
  liquidationDryMax: {
    wire: 'liquidation_dry_max',
    unit: 'whole',
    bounds: [1, 'liquidationDryMost'],
    initial: 3,
    changes: true,
    risk: 'liquidation.dry_max',
    about: 'Steps in a row without a fill before the backstop takes over',
  },
  liquidationStepMax: {
    wire: 'liquidation_step_max',
    unit: 'quote',
    bounds: [0, 'moneyMax'],
    initial: 100_000_000_000,
    changes: true,
    risk: 'liquidation.step_max',
    about: 'Maximum USD that one step closes, or a fifth of the position if that is more',
  },
} as const satisfies Readonly<Record<string, MarketParameter>>

export type ParameterName = keyof typeof marketParameters
type Rows = typeof marketParameters

/** Parameters that may change after the listing. */
export type ChangeableName = {
  [N in ParameterName]: Rows[N] extends { changes: true | 'with notice' } ? N : never
}[ParameterName]
/** Parameters that a listing may omit. */
export type InitialName = {
  [N in ParameterName]: Rows[N] extends { initial: number } ? N : never
}[ParameterName]
export type UnitOf<N extends ParameterName> = Rows[N]['unit']
export type RiskPath = Exclude<Rows[ParameterName]['risk'], null>

/** A row, including the optional fields. */
export const parameterOf = (name: ParameterName): MarketParameter => marketParameters[name]
export const parameterNames = Object.keys(marketParameters) as ParameterName[]
export const changeableNames = parameterNames.filter(
  (name): name is ChangeableName => parameterOf(name).changes !== false,
)
