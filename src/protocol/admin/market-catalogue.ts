// Market templates for new venues: a listing, the symbols at the price sources, and the reasons for
// the values. They are a starting point, not advice: operators know the depth of their venue.

import type { PriceSourceKind } from './price-source-kinds.ts'

/** The body of POST /markets/list, without the current price and the address of the backstop. */
export type TemplateListing = Readonly<{
  symbol: string
  base_asset: string
  tick_size: string
  lot_size: string
  isolated_only: boolean
  min_tick: string
  max_tick: string
  max_leverage: number
  min_order_size: string
  max_order_size: string
  band_near_percent: string
  band_far_percent: string
  speedbump_ms: number
  open_interest_cap: string
  open_interest_lower: string
  open_interest_upper: string
  impact_notional: string
  stale_after_ms: number
  min_sources: number
  backstop_value_max: string
  backstop_daily_loss_max: string
  risk_tiers: readonly Readonly<{ from_value: string; max_leverage: number }>[]
}>

export type MarketTemplate = Readonly<{
  name: string
  group: 'major' | 'alt' | 'metal'
  about: string
  listing: TemplateListing
  /** The symbol at each price source that has the market. */
  sources: Readonly<Partial<Record<PriceSourceKind, string>>>
}>

type Group = MarketTemplate['group']

/** Why the markets of a group have these values, by field. */
export const templateReasons: Readonly<Record<Group, Readonly<Record<string, string>>>> = {
  major: {
    tick_size:
      'About a hundred-thousandth of the price: fine enough to quote, coarse enough to queue',
    lot_size: 'A dollar or so at most, so that small accounts can size it',
    min_tick: 'A hundredth of the price or less: a grid only grows',
    max_tick: 'Ten times the price or more: a grid only grows, and exposure is bounded by it',
    max_leverage: 'Half of what large exchanges give, until the fund and the backstop have grown',
    min_order_size: 'A smaller order costs more to carry out than it pays',
    max_order_size: 'One order may not walk through a young book',
    band_near_percent: 'No one intends to pay more beyond the mark',
    band_far_percent: 'Half of the price: orders that far away only fill the book',
    speedbump_ms: 'Time for makers to follow a price before it is taken',
    open_interest_cap:
      'What the backstop and the fund can carry on a bad day; raise it as they grow',
    open_interest_lower: 'From half of the cap on margin grows, so that crowding costs',
    open_interest_upper: 'Beyond the cap, so that margin never reaches the whole value',
    impact_notional: 'Twice the size that a maker shows: funding follows what can be traded',
    stale_after_ms: 'One missed tick of three seconds does not stop trading; two do',
    min_sources: 'Two that agree, so that none decides alone',
    backstop_value_max: 'A twentieth of the cap: a backstop, not a fund of its own',
    backstop_daily_loss_max: 'A tenth of that in a day, then deleveraging shares the rest',
    risk_tiers: 'The larger a position, the longer it takes to close: leverage falls with it',
  },
  alt: {
    tick_size: 'About a ten-thousandth of the price: thin books need queues more than steps',
    max_leverage: 'Moves of 5 % in minutes are ordinary here',
    max_order_size: 'A fifth of a major: what the book absorbs without a gap',
    band_near_percent: 'It moves more between two quotes than a major',
    open_interest_cap: 'A fraction of a major: a squeeze needs a cap that one holder cannot reach',
    open_interest_lower: 'From a quarter of the cap on margin grows: crowds are the risk of an alt',
    impact_notional: 'Small, because makers show little',
    risk_tiers: 'Leverage falls early: depth ends early',
  },
  metal: {
    max_leverage: 'It moves less than coins, but its sources sleep at weekends',
    min_sources: 'Two that agree; at weekends there are few, and the market may well be stale',
    band_near_percent: 'It moves less than coins',
    stale_after_ms: 'Longer than for coins, because sources speak less often',
    open_interest_lower: 'From a third of the cap on margin grows, so that crowding costs',
    open_interest_cap: 'Below a major: what hedges it is closed for two days a week',
  },
}

/** The reason for a value. Altcoins and metals use the values of majors unless they have their
 *  own. */
export const reasonOf = (group: Group, field: string): string =>
  templateReasons[group][field] ?? templateReasons.major[field] ?? ''

const shared = {
  isolated_only: false,
  min_order_size: '10',
  speedbump_ms: 200,
  band_far_percent: '50',
  stale_after_ms: 4_500,
  min_sources: 2,
} as const

const major = {
  ...shared,
  max_leverage: 25,
  max_order_size: '1000000',
  band_near_percent: '5',
  open_interest_lower: '10000000',
  open_interest_upper: '40000000',
  impact_notional: '20000',
  backstop_value_max: '1000000',
  backstop_daily_loss_max: '100000',
  risk_tiers: [
    { from_value: '500000', max_leverage: 15 },
    { from_value: '2000000', max_leverage: 10 },
    { from_value: '5000000', max_leverage: 5 },
  ],
} as const

const alt = {
  ...shared,
  max_leverage: 10,
  max_order_size: '200000',
  band_near_percent: '8',
  open_interest_lower: '1250000',
  open_interest_upper: '10000000',
  impact_notional: '5000',
  backstop_value_max: '250000',
  backstop_daily_loss_max: '25000',
  risk_tiers: [
    { from_value: '100000', max_leverage: 5 },
    { from_value: '500000', max_leverage: 3 },
  ],
} as const

const metal = {
  ...shared,
  max_leverage: 20,
  max_order_size: '500000',
  band_near_percent: '3',
  stale_after_ms: 10_000,
  open_interest_lower: '5000000',
  open_interest_upper: '20000000',
  impact_notional: '10000',
  backstop_value_max: '500000',
  backstop_daily_loss_max: '50000',
  risk_tiers: [
    { from_value: '250000', max_leverage: 10 },
    { from_value: '2000000', max_leverage: 5 },
  ],
} as const

/** Symbols at the sources. Coinbase and Kraken have USD pairs, the other exchanges USDT pairs;
 *  Hyperliquid publishes its oracle price. */
const sourcesOf = (coin: string) => ({
  binance: `${coin}USDT`,
  bybit: `${coin}USDT`,
  okx: `${coin}-USDT`,
  coinbase: `${coin}-USD`,
  kraken: `${coin}/USD`,
  hyperliquid: coin,
})

type Steps = Pick<
  TemplateListing,
  'tick_size' | 'lot_size' | 'min_tick' | 'max_tick' | 'open_interest_cap'
>

const coin = (group: 'major' | 'alt', symbol: string, about: string, steps: Steps) => ({
  name: symbol.toLowerCase(),
  group,
  about,
  listing: { symbol, base_asset: symbol, ...(group === 'major' ? major : alt), ...steps },
  sources: sourcesOf(symbol),
})

export const marketCatalogue: readonly MarketTemplate[] = [
  coin('major', 'BTC', 'Bitcoin', {
    ...{ tick_size: '1', lot_size: '0.00001', min_tick: '1', max_tick: '2000000' },
    open_interest_cap: '200',
  }),
  coin('major', 'ETH', 'Ether', {
    ...{ tick_size: '0.1', lot_size: '0.0001', min_tick: '0.1', max_tick: '100000' },
    open_interest_cap: '6000',
  }),
  coin('major', 'SOL', 'Solana', {
    ...{ tick_size: '0.01', lot_size: '0.01', min_tick: '0.01', max_tick: '10000' },
    open_interest_cap: '100000',
  }),
  coin('alt', 'XRP', 'XRP', {
    ...{ tick_size: '0.0001', lot_size: '1', min_tick: '0.0001', max_tick: '100' },
    open_interest_cap: '2000000',
  }),
  coin('alt', 'DOGE', 'Dogecoin', {
    ...{ tick_size: '0.00001', lot_size: '1', min_tick: '0.00001', max_tick: '10' },
    open_interest_cap: '25000000',
  }),
  coin('alt', 'AVAX', 'Avalanche', {
    ...{ tick_size: '0.001', lot_size: '0.01', min_tick: '0.001', max_tick: '1000' },
    open_interest_cap: '200000',
  }),
  coin('alt', 'LINK', 'Chainlink', {
    ...{ tick_size: '0.001', lot_size: '0.1', min_tick: '0.001', max_tick: '1000' },
    open_interest_cap: '300000',
  }),
  {
    name: 'xau',
    group: 'metal',
    about: 'An ounce of gold, by the prices of tokens that are backed by one',
    listing: {
      ...{ symbol: 'XAU', base_asset: 'XAU', ...metal },
      ...{ tick_size: '0.1', lot_size: '0.001', min_tick: '0.1', max_tick: '50000' },
      open_interest_cap: '4000',
    },
    sources: { binance: 'PAXGUSDT', okx: 'XAUT-USDT', coinbase: 'PAXG-USD', kraken: 'PAXG/USD' },
  },
  {
    name: 'xag',
    group: 'metal',
    about:
      'An ounce of silver; no built-in source has it, so its prices are pushed or read by http',
    listing: {
      ...{ symbol: 'XAG', base_asset: 'XAG', ...metal },
      ...{ tick_size: '0.001', lot_size: '0.1', min_tick: '0.001', max_tick: '1000' },
      open_interest_cap: '200000',
    },
    sources: {},
  },
]

export const templateNames: readonly string[] = marketCatalogue.map(({ name }) => name)

/** Returns undefined if no template has this name. */
export const templateNamed = (name: string): MarketTemplate | undefined =>
  marketCatalogue.find((template) => template.name === name)
