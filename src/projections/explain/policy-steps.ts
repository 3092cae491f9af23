// The arithmetic of a policy that refused an order (ACCT-9).

import type {
  BatchAction,
  Command,
  EventOf,
  ExchangeView,
  MarketView,
  OrderWish,
} from '../../core/index.ts'
import { mulPpmFloor } from '../../units/rounding.ts'
import { ppm, type Step, step, usd, wordsOf } from './explanation.ts'

type Rejected = EventOf<'CommandRejected'>

/** Steps for an order. Other commands are explained only by their recorded numbers. */
export function policySteps(
  view: ExchangeView,
  market: MarketView,
  command: Command | BatchAction,
  { first: rule, second: value, third: most }: Rejected,
): readonly Step[] {
  if (command.type !== 'PlaceOrder' && command.type !== 'PlaceMarketOrder') return []
  const agent = command.proof?.agent ?? null
  const key = view.accounts.agentsOf(command.account).find(({ address }) => address === agent)
  if (key === undefined || key.policy === null) return []
  if (rule === 4) return [priceStep(market, command, key.policy.maxSlippagePpm ?? 0, most)]
  if (rule === 5) return worthSteps(market, command, value)
  if (rule === 6) return [positionStep(view, market, command, value)]
  if (rule !== 7) return []
  const lost = { 'lost today': usd(key.dayLoss), limit: usd(most) }
  const formula = 'loss = the highest equity of the UTC day − equity'
  return [step({ ...shared, formula, inputs: lost, result: key.dayLoss, recorded: value })]
}

const shared = { rule: 'ACCT-9', text: usd }

function priceStep(market: MarketView, wish: OrderWish, maxPpm: number, recorded: number): Step {
  const words = wordsOf(market.params, market.unitValue)
  const away = mulPpmFloor(market.mark, maxPpm)
  return step({
    rule: 'ACCT-9',
    formula: `last price = mark ${wish.side === 'bid' ? '+' : '−'} ⌊mark × max ÷ 10^6⌋`,
    inputs: { mark: words.price(market.mark), max: ppm(maxPpm) },
    result: wish.side === 'bid' ? market.mark + away : market.mark - away,
    recorded,
    text: words.price,
  })
}

/** Steps of the order's value. Not for an order that was repriced, because its price was
 *  different. */
function worthSteps(market: MarketView, wish: OrderWish, recorded: number): readonly Step[] {
  if (wish.type === 'PlaceOrder' && wish.tif === 'TOB') return []
  const words = wordsOf(market.params, market.unitValue)
  const price = wish.type === 'PlaceOrder' ? wish.price : market.mark
  return [
    step({
      ...shared,
      formula: 'value = size × price × K',
      inputs: { size: words.size(wish.size), price: words.price(price), K: words.unit },
      result: wish.size * price * market.unitValue,
      recorded,
    }),
  ]
}

function positionStep(
  { positions }: ExchangeView,
  market: MarketView,
  wish: OrderWish,
  recorded: number,
): Step {
  const words = wordsOf(market.params, market.unitValue)
  const { lots = 0, buys = 0, sells = 0 } = positions.requirementOf(wish.account, market.id) ?? {}
  const isBid = wish.side === 'bid'
  const worst = Math.max(
    Math.abs(lots + buys + (isBid ? wish.size : 0)),
    Math.abs(lots - sells - (isBid ? 0 : wish.size)),
  )
  return step({
    ...shared,
    formula: 'max(|lots + buys|, |lots − sells|) × mark × K, this order included',
    inputs: {
      'position, open buys, sells': [lots, buys, sells].map(words.size).join(', '),
      'this order': `${wish.side} ${words.size(wish.size)}`,
      mark: words.price(market.mark),
    },
    result: worst * market.mark * market.unitValue,
    recorded,
  })
}
