// The built-in price sources, by their names in a configuration, and the format of their symbols.

type KindOfSource = Readonly<{
  /** Format of the source's symbols. */
  symbol: RegExp
  example: string
  /** Allowed schemes of the source's address, with and without TLS. */
  schemes: readonly ['wss:', 'ws:'] | readonly ['https:', 'http:']
}>

const overWebsocket = { schemes: ['wss:', 'ws:'] } as const
const overHttp = { schemes: ['https:', 'http:'] } as const

export const priceSourceKinds = {
  binance: { symbol: /^[A-Z0-9]{2,30}$/, example: 'BTCUSDT', ...overWebsocket },
  bybit: { symbol: /^[A-Z0-9-]{2,30}$/, example: 'BTCUSDT', ...overWebsocket },
  okx: { symbol: /^[A-Z0-9]+(?:-[A-Z0-9]+){1,4}$/, example: 'BTC-USDT', ...overWebsocket },
  coinbase: { symbol: /^[A-Z0-9]+-[A-Z0-9]+$/, example: 'BTC-USD', ...overWebsocket },
  kraken: { symbol: /^[A-Z0-9.]+\/[A-Z0-9.]+$/, example: 'BTC/USD', ...overWebsocket },
  hyperliquid: { symbol: /^[\w@/:.-]{1,40}$/, example: 'BTC', ...overWebsocket },
  pyth: {
    symbol: /^(?:0x)?[0-9a-fA-F]{64}$/,
    example: 'e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43',
    ...overHttp,
  },
  http: { symbol: /^(?:\/(?:[^~/]|~[01])*)*$/, example: '/data/0/price', ...overHttp },
} as const satisfies Readonly<Record<string, KindOfSource>>

export type PriceSourceKind = keyof typeof priceSourceKinds
export const priceSourceKindNames = Object.keys(priceSourceKinds) as PriceSourceKind[]

/** Time units of an `http` source; `iso` for ISO 8601. */
export const timeUnits = ['ms', 's', 'us', 'ns', 'iso'] as const
export type TimeUnit = (typeof timeUnits)[number]
