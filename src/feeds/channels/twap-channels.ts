// Channels of an account's running algos, and of the events of its TWAPs.

import { moneyText, sizeText } from '../../projections/market-text.ts'
import { declared } from '../../protocol/streams/channels.ts'
import { formatDecimal } from '../../units/decimal.ts'
import { divFloor } from '../../units/rounding.ts'
import type { TwapFact } from '../accounts/facts.ts'
import { expirationOf, type LiveTwap } from '../accounts/live-twaps.ts'
import { pastTwaps } from '../accounts/past-facts.ts'
import { type Owner, paramsOf } from '../accounts/watch.ts'
import { algoWire, withSeenChild } from '../algo-text.ts'
import { factChannel, type Row, stateChannel } from './account-channel.ts'

export const twapChannels = {
  accountAlgoOrders: stateChannel(
    declared.accountAlgoOrders,
    (watch, sight) => {
      const { view, address } = watch.owner()
      const algos = view.orders.algosOf(view.accounts.idOf(address))
      return algos.map((row) =>
        algoWire(view.markets.paramsOf(row.market), withSeenChild(sight, row, view)),
      )
    },
    { stamps: false },
  ),
  accountTwapOrders: stateChannel(
    declared.accountTwapOrders,
    (watch) => watch.twaps.all().map((twap) => twapRow(watch.owner(), twap)),
    { stamps: false },
  ),
  accountTwapOrderUpdates: factChannel(
    { ...declared.accountTwapOrderUpdates, past: pastTwaps },
    'twap',
    updateRow,
  ),
}

function twapRow(owner: Owner, twap: Readonly<LiveTwap>): Row {
  const params = paramsOf(owner, twap.market)
  return {
    order_id: twap.id,
    client_order_id: twap.clientOrderId,
    symbol: params.symbol,
    side: twap.side,
    initial_amount: sizeText(params, twap.lots),
    filled_amount: sizeText(params, twap.filled),
    reduce_only: twap.reduceOnly,
    // 1 ppm is 0.0001 %.
    slippage_percent: formatDecimal(twap.slippagePpm, 4),
    planned_sub_order_amount: sizeText(params, divFloor(twap.lots, twap.slices)),
    planned_sub_order_count: twap.slices,
    past_sub_order_count: twap.done,
    total_filled_value: moneyText(twap.value),
    expiration: expirationOf(twap),
    created_at: twap.createdAt,
    updated_at: twap.updatedAt,
  }
}

function updateRow(owner: Owner, { twap, event, status, seq }: TwapFact): Row {
  return { ...twapRow(owner, twap), order_status: status, event_type: event, li: seq }
}
