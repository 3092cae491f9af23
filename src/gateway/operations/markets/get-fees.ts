import { ppmText } from '../../../feeds/market-text.ts'
import { unsigned } from '../../operation.ts'

export const getFees = unsigned({
  name: 'get_fees',
  group: 'markets',
  handle: ({ exchange }) =>
    exchange.view.money.feeTiers.map(({ makerPpm, takerPpm }, level) => ({
      level,
      maker_fee_rate: ppmText(makerPpm),
      taker_fee_rate: ppmText(takerPpm),
    })),
})
