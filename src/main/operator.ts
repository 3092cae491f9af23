// The functions of the process that the admin plane uses: prices, backups, hashes, draining.

import { basename, dirname, join } from 'node:path'
import type { MarketParams } from '../core/index.ts'
import type {
  Operator,
  PricesBySource,
  PushedPrice,
  RefusedPrice,
} from '../gateway/admin/operator.ts'
import { apiError } from '../gateway/api-error.ts'
import type { Readiness } from '../gateway/http/readiness.ts'
import type { Load } from '../gateway/intake/intake.ts'
import type { OpenHistory } from '../projections/history/create-history.ts'
import { microPriceText } from '../projections/market-text.ts'
import type { OpenedFolder } from '../sequencer/opened-folder.ts'
import { ownerlessAddress } from '../sources/ownerless-address.ts'
import { oracleMax } from '../sources/prices/combined.ts'
import type { PushResult } from '../sources/prices/price-feed.ts'
import type { VenuePrices } from './prices/venue-prices.ts'
import { proveReserves } from './reserves/prove-reserves.ts'

export type OperatorNeeds = Readonly<{
  folder: string
  data: OpenedFolder
  history: OpenHistory
  pushPrices: Operator['pushPrices']
  prices: Operator['prices']
  leverageOverrides: Readonly<Record<string, string>>
  webhooks: Operator['webhooks']
  redeliver: Operator['redeliver']
  treasury: Operator['treasury']
  load: () => Load
  commandsWaiting: () => number
  readiness: () => Readiness
  drain: () => void
}>

export function createOperator(needs: OperatorNeeds): Operator {
  const { folder, data, history, pushPrices, prices, load, readiness, drain } = needs
  let copying = false
  let proving = false
  return {
    pushPrices,
    prices,
    leverageOverride: (symbol) => needs.leverageOverrides[symbol] ?? null,
    webhooks: needs.webhooks,
    redeliver: needs.redeliver,
    treasury: needs.treasury,
    status() {
      const { underWay, waiting } = load()
      return {
        ...readiness(),
        requestsUnderWay: underWay,
        requestsWaiting: waiting,
        commandsWaiting: needs.commandsWaiting(),
        historySeq: history.seq(),
        diskFree: data.diskFree,
      }
    },
    actions: (limit, before) => history.history.operatorActions(data.seq, { limit, before }),
    async backup() {
      if (copying) throw apiError('NOT_READY', 'a backup is under way')
      copying = true
      try {
        return await backUpToSibling(folder, data)
      } finally {
        copying = false
      }
    },
    async prove() {
      if (proving) throw apiError('NOT_READY', 'a proof is being made')
      proving = true
      try {
        await proveReserves(folder)
      } finally {
        proving = false
      }
    },
    drain,
    ownerlessAddress,
    hashes: () => data.hashesNow(),
  }
}

export const noPriceFeed = () => apiError('NOT_FOUND', 'a sandbox makes its own prices')

/** Returns a function that accepts pushed prices; it fails in a process without a price feed. */
export function pricesInto(venue: VenuePrices | null, data: OpenedFolder) {
  return (
    source: string,
    prices: readonly PushedPrice[],
    // Nodes of an older version do not send this list.
    refused: readonly RefusedPrice[] = [],
  ): readonly string[] => {
    if (venue === null) throw noPriceFeed()
    for (const each of refused) venue.refuse(source, each)
    return prices.flatMap(({ market, price, observedAtMs }) => {
      const result = venue.push(source, market, price, observedAtMs)
      if (result === 'taken') return []
      const params = data.view.markets.paramsOf(market)
      const { symbol } = params
      const reason = pushRefusal(params, result)
      venue.remember(source, { symbol, reason })
      return [`${symbol}: ${reason}`]
    })
  }
}

/** Returns the status of the price sources of this process; fails if it has none. */
export function pricesOf(venue: VenuePrices | null): PricesBySource {
  if (venue === null) throw noPriceFeed()
  return venue.bySource()
}

async function backUpToSibling(folder: string, data: OpenedFolder) {
  const name = `${basename(folder)}-backup-${data.seq}-${Date.now()}`
  const target = join(dirname(folder), name)
  const seq = await data.backUp(target)
  return { folder: target, seq }
}

/** Returns why a pushed price was refused. The market must be listed. */
function pushRefusal(params: MarketParams, result: PushResult): string {
  if (result === 'unknown_source') return 'no source of prices has this name'
  return (
    `a price must be above 0 and at most ${microPriceText(params, oracleMax)}; what this source ` +
    'said before does not count any more'
  )
}
