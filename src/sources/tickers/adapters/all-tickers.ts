// All price sources, by their names in the configuration.

import type { Ticker } from '../ticker.ts'
import { binance } from './binance.ts'
import { bybit } from './bybit.ts'
import { coinbase } from './coinbase.ts'
import { httpJson } from './http-json.ts'
import { hyperliquid } from './hyperliquid.ts'
import { kraken } from './kraken.ts'
import { okx } from './okx.ts'
import { pyth } from './pyth.ts'

export const tickers = {
  binance,
  bybit,
  okx,
  coinbase,
  kraken,
  hyperliquid,
  pyth,
  http: httpJson,
} as const satisfies Readonly<Record<string, Ticker>>
