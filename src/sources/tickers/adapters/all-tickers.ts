// Every place that prices can come from, by the word that a configuration has for it.

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
