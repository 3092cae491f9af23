// Channels of the matches of a market, and of positions closed by force on all markets.

import {
  bitsOf,
  type EventOf,
  type FillPart,
  fillOf,
  takerFillsOf,
  wordAt,
} from '../../core/index.ts'
import { fillPriceText, priceText, sizeText } from '../../projections/market-text.ts'
import { declared } from '../../protocol/streams/channels.ts'
import { causes } from '../../words/order-words.ts'
import type { FeedContext } from '../feed-context.ts'
import { CommandRows } from '../markets/command-rows.ts'
import type { Match, Place } from '../markets/market-publisher.ts'
import { marketChannel } from './channel.ts'

const tradedFor = bitsOf('Traded').cause
const LIQUIDATION = causes.indexOf('market_liquidation')

export const tradeChannels = {
  trades: marketChannel(declared.trades, ({ topic, context }) => {
    const rows = new CommandRows(topic)
    return {
      snapshot: () => null,
      traded: (match) => rows.add(match.seq, tradeRow(context, match)),
      batchEnded: () => rows.queue(),
    }
  }),

  /** Forced closings, without their accounts. */
  liquidations: marketChannel(declared.liquidations, ({ topic, context }) => {
    const rows = new CommandRows(topic)
    return {
      snapshot: () => null,
      events: {
        Traded({ log, seq, atMs }, at) {
          if (wordAt(log.rows, at, tradedFor) !== LIQUIDATION) return
          for (const fill of takerFillsOf(log.read(at) as EventOf<'Traded'>))
            rows.add(seq, liquidationRow(context, fill, { seq, atMs }))
        },
        Filled({ log, seq, atMs }, at) {
          const fill = fillOf(log.read(at) as EventOf<'Filled'>)
          if (isForced(fill)) rows.add(seq, liquidationRow(context, fill, { seq, atMs }))
        },
      },
      batchEnded: () => rows.queue(),
    }
  }),
}

function tradeRow({ namesAccounts, view }: FeedContext, match: Match) {
  const params = view.markets.paramsOf(match.market)
  const address = (account: number) => (namesAccounts ? view.accounts.addressOf(account) : null)
  return {
    h: match.history,
    s: params.symbol,
    a: sizeText(params, match.lots),
    p: priceText(params, match.price),
    d: match.kind.replace(/^force_/, ''),
    e: match.kind,
    side: match.side,
    tc: match.cause,
    u: address(match.taker),
    c: address(match.maker),
    t: match.atMs,
    li: match.seq,
  }
}

/** Whether this side was closed by force: one side in a takeover, both in a deleveraging, all in a
 *  settlement. */
function isForced({ kind, cause }: FillPart): boolean {
  return cause !== 'settlement' && (cause === 'deleverage' || kind.startsWith('force'))
}

function liquidationRow({ view }: FeedContext, fill: FillPart, { seq, atMs }: Place) {
  const params = view.markets.paramsOf(fill.market)
  return {
    history_id: fill.history,
    symbol: params.symbol,
    side: fill.kind,
    amount: sizeText(params, fill.lots),
    price: fillPriceText(params, fill),
    cause: fill.cause,
    created_at: atMs,
    li: seq,
  }
}
