// Matches of a market, and positions closed by force on all markets.

import { causes, columnsOf, fillKinds, rowWidth } from '../../core/index.ts'
import { declared } from '../../protocol/streams/channels.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import { fillFactOf } from '../accounts/fill-fact.ts'
import type { FeedContext } from '../feed-context.ts'
import { fillPriceText, priceText, sizeText } from '../market-text.ts'
import { CommandRows } from '../markets/command-rows.ts'
import type { Match } from '../markets/market-publisher.ts'
import { marketChannel } from './channel.ts'

const filled = columnsOf('Filled')
const firstForced = fillKinds.indexOf('force_close_long')
const DELEVERAGE = causes.indexOf('deleverage')
const SETTLEMENT = causes.indexOf('settlement')

export const tradeChannels = {
  trades: marketChannel(declared.trades, ({ topic, context }) => {
    const rows = new CommandRows(topic)
    return {
      snapshot: () => null,
      traded: (match) => rows.add(match.seq, tradeRow(context, match)),
      batchEnded: () => rows.queue(),
    }
  }),

  /** Without saying whose. */
  liquidations: marketChannel(declared.liquidations, ({ topic, context }) => {
    const rows = new CommandRows(topic)
    return {
      snapshot: () => null,
      events: {
        Filled(outcome, row) {
          if (isForced(outcome, row)) rows.add(outcome.seq, liquidationRow(context, outcome, row))
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

/** In a deleveraging both sides are closed by force; the others have one victim. */
function isForced({ log }: Outcome, row: number): boolean {
  const at = row * rowWidth
  const cause = log.rows[at + filled.cause]!
  if (cause === SETTLEMENT) return false
  return log.rows[at + filled.kind]! >= firstForced || cause === DELEVERAGE
}

function liquidationRow({ view }: FeedContext, outcome: Outcome, row: number) {
  const fill = fillFactOf(outcome, row * rowWidth)
  const params = view.markets.paramsOf(fill.market)
  return {
    history_id: fill.history,
    symbol: params.symbol,
    side: fill.kind,
    amount: sizeText(params, fill.lots),
    price: fillPriceText(params, fill),
    cause: fill.cause,
    created_at: fill.atMs,
    li: fill.seq,
  }
}
