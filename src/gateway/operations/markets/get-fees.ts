import { Type } from 'typebox'
import { feeTiersOf } from '../../../projections/current/markets.ts'
import { noQuery } from '../../../protocol/schemas/lists.ts'
import { feeLevel } from '../../../protocol/schemas/market-replies.ts'
import { ppmText } from '../../market-text.ts'
import { read } from '../../operation.ts'

export const getFees = read({
  name: 'get_fees',
  http: 'GET /info/fees',
  ws: null,
  group: 'markets',
  summary: 'Fee levels',
  cost: 'plain',
  wraps: 'envelope',
  refusals: 'rules',
  request: noQuery,
  reply: Type.Array(feeLevel),
  rejects: [],
  handle: ({ exchange }) =>
    feeTiersOf(exchange.state).map(({ makerPpm, takerPpm }, level) => ({
      level,
      maker_fee_rate: ppmText(makerPpm),
      taker_fee_rate: ppmText(takerPpm),
    })),
})
