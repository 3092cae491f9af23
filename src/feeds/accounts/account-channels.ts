// Which topic serves which channel of an account.

import type { ChannelName } from '../../protocol/streams/sources.ts'
import {
  type AccountTopic,
  type EventChannel,
  EventsTopic,
  OrdersTopic,
  type StateOf,
  StateTopic,
} from './account-topic.ts'
import type { DeleverageRanks } from './deleverage-ranks.ts'
import type { Fact } from './facts.ts'
import {
  accountOrderRow,
  fillRow,
  liquidationRow,
  type Owner,
  orderHistoryRow,
  orderRow,
  orderUpdateRow,
  settingRow,
  transferRow,
  twapRow,
  twapUpdateRow,
} from './rows.ts'
import { accountRow, positionRows } from './state-rows.ts'
import type { Watch } from './watch.ts'

type FactType = Fact['type']
type FactOf<T extends FactType> = Extract<Fact, { type: T }>
type Row = Readonly<Record<string, unknown>>

/** Of facts of one type; the others are not this channel's. */
function only<T extends FactType>(
  type: T,
  rowOf: (owner: Owner, fact: FactOf<T>) => Row,
): EventChannel {
  return {
    rowOf: (owner, fact) => (fact.type === type ? rowOf(owner, fact as FactOf<T>) : null),
  }
}

const events: Partial<Record<ChannelName, EventChannel>> = {
  accountOrderUpdates: only('order', orderUpdateRow),
  userOrderHistory: only('order', orderHistoryRow),
  userTradeHistory: only('fill', fillRow),
  accountMargin: { ...only('margin', settingRow), each: true },
  accountLeverage: { ...only('leverage', settingRow), each: true },
  accountLiquidations: only('liquidation', liquidationRow),
  accountTransfers: only('transfer', transferRow),
  accountTwapOrderUpdates: only('twap', twapUpdateRow),
}

const lists: Partial<Record<ChannelName, EventChannel>> = {
  orders: only('order', orderRow),
  accountOrders: only('order', accountOrderRow),
}

type State = Readonly<{ of: StateOf; stamps: boolean }>

function states(ranks: DeleverageRanks): Partial<Record<ChannelName, State>> {
  return {
    positions: {
      of: (watch) => positionRows(watch.owner(), watch.account, ranks),
      stamps: true,
    },
    accountData: { of: (watch) => accountRow(watch.owner(), watch.account), stamps: true },
    accountTwapOrders: {
      of: (watch) => watch.twaps.all().map((twap) => twapRow(watch.owner(), twap)),
      stamps: false,
    },
  }
}

export type AccountTopics = (name: ChannelName, watch: Watch, key: string) => AccountTopic

export function accountTopics(ranks: DeleverageRanks): AccountTopics {
  const stateOf = states(ranks)
  return (name, watch, key) => {
    const event = events[name]
    if (event !== undefined) return new EventsTopic(key, watch, event)
    const list = lists[name]
    if (list !== undefined) return new OrdersTopic(key, watch, list)
    const { of, stamps } = stateOf[name]!
    return new StateTopic(key, watch, of, stamps)
  }
}
