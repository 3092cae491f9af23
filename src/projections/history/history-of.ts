// The queries of history, for a store in this thread or in another one.

import type { AllHistory } from './history.ts'
import type { ReadArgs, ReadName, ReadRow } from './reads.ts'

/** Answers a read when the store has reached `seq`. */
export type Rows = <N extends ReadName>(
  seq: number,
  name: N,
  ...args: ReadArgs<N>
) => Promise<readonly ReadRow<N>[]>

export function historyOf(rows: Rows): AllHistory {
  return {
    positionHistory: (seq, query) => rows(seq, 'positionHistory', query),
    fills: (seq, account, page) => rows(seq, 'fills', account, page),
    orders: (seq, account, page) => rows(seq, 'orders', account, page),
    orderEvents: (seq, order) => rows(seq, 'orderEvents', order),
    orderOfClientId: async (seq, account, client, before) =>
      (await rows(seq, 'orderOfClientId', account, client, before))[0] ?? null,
    trades: (seq, market, query) => rows(seq, 'trades', market, query),
    minutes: (seq, market, since) => rows(seq, 'minutes', market, since),
    candles: (seq, market, query) => rows(seq, 'candles', market, query),
    marketStates: (seq, market, query) => rows(seq, 'marketStates', market, query),
    liquidations: (seq, page) => rows(seq, 'liquidations', page),
    fundingRates: (seq, market, page) => rows(seq, 'fundingRates', market, page),
    fundingPayments: (seq, account, page) => rows(seq, 'fundingPayments', account, page),
    twaps: (seq, account, page) => rows(seq, 'twaps', account, page),
    algos: (seq, account, page) => rows(seq, 'algos', account, page),
    algoSteps: (seq, order) => rows(seq, 'algoSteps', order),
    twapSteps: (seq, order) => rows(seq, 'twapSteps', order),
    operatorActions: (seq, limit, before) => rows(seq, 'operatorActions', { limit, before }),
    balances: (seq, account, page) => rows(seq, 'balances', account, page),
    payments: (seq, page) => rows(seq, 'payments', page),
    paymentsOf: (seq, withdrawal) => rows(seq, 'paymentsOf', withdrawal),
    equity: (seq, account, query) => rows(seq, 'equity', account, query),
    statement: (seq, account, query) => rows(seq, 'statement', account, query),
    beginning: async (seq, account) => (await rows(seq, 'beginning', account))[0] ?? null,
  }
}
