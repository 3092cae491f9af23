// What a thief does with a key and a friend: a list of moves, each a few small numbers, so that
// chance can change them and a line of text can keep them.

import type { Random } from '../../differential/random.ts'

export const deeds = [
  /** By the key: an order that rests, one that takes, one at any price that is allowed. */
  'bid',
  'ask',
  'buy',
  'sell',
  'buy-market',
  'sell-market',
  /** Stops that open, that close, that trail; levels of the position; a size in slices. */
  'stop-buy',
  'stop-sell',
  'stop-close',
  'trail',
  'levels',
  'twap',
  /** The newest order goes to the price; in one command: a quote, or five orders that take. */
  'edit',
  'quote',
  'burst',
  'cancel',
  'close',
  /** By the friend, at the same price. */
  'friend-bid',
  'friend-ask',
  'friend-buys',
  'friend-sells',
  'friend-cancels',
  'wait',
  /** By the key: sizes that stay at the best price or show a part, an order or a stop of which one
   *  happens, a stop that brings its own exits. */
  'chase-buy',
  'chase-sell',
  'iceberg',
  'oco',
  'oto',
  /** By the friend: the smallest bid or ask where the key still may, for chases to follow. */
  'friend-leads',
] as const
export type Deed = (typeof deeds)[number]

export type Theft = Readonly<{
  deed: Deed
  market: number
  /** 0 to 99: 49 is the largest position that is allowed, 99 is enough to turn it round. */
  size: number
  /** 0 to 95: from the mark to the last price that is allowed; above: far beyond it. */
  price: number
}>

export type Plot = readonly Theft[]

const movesMax = 12
const digits = (value: number) => String(value).padStart(2, '0')

export function textOf(plot: Plot): string {
  return plot
    .map(({ deed, market, size, price }) =>
      [deeds.indexOf(deed), market, size, price].map(digits).join(''),
    )
    .join('-')
}

export function plotOf(text: string): Plot {
  return text.split('-').map((one) => {
    const [at, market, size, price] = one.match(/\d\d/g)?.map(Number) ?? []
    const deed = deeds[at ?? -1]
    if (deed === undefined || price === undefined) throw new Error(`not a move: ${one}`)
    return { deed, market: market!, size: size!, price }
  })
}

function drawTheft(random: Random): Theft {
  return {
    deed: random.pick(deeds),
    market: random.chance(0.7) ? 0 : 1,
    size: random.chance(0.3) ? 49 : random.chance(0.3) ? 99 : random.below(100),
    price: random.chance(0.5) ? 95 : random.chance(0.3) ? 99 : random.below(100),
  }
}

export function drawPlot(random: Random): Plot {
  return Array.from({ length: random.between(3, 8) }, () => drawTheft(random))
}

export function mutatedPlot(random: Random, plot: Plot): Plot {
  const moves = [...plot]
  for (let times = random.between(1, 3); times > 0; times--) {
    const at = random.below(moves.length)
    const what = random.below(5)
    if (what === 0 && moves.length < movesMax) moves.splice(at, 0, drawTheft(random))
    else if (what === 1 && moves.length > 1) moves.splice(at, 1)
    else if (what === 2) moves.push(...moves.splice(at, 1))
    else {
      const field = random.pick(['deed', 'market', 'size', 'price'] as const)
      moves[at] = { ...moves[at]!, [field]: drawTheft(random)[field] }
    }
  }
  return moves
}

const step = (deed: Deed, price = 95, size = 49): Theft => ({ deed, market: 0, size, price })

/** Plots written by hand. */
export const knownPlots: Readonly<Record<string, Plot>> = {
  /** Buys from the friend at the highest price, and sells to it at the lowest. */
  pair: [
    step('friend-ask'),
    step('buy'),
    step('friend-cancels'),
    step('friend-bid'),
    step('sell'),
    step('friend-cancels'),
  ],
  /** Just below the loss of the day an order closes and opens the other way; that is closed. */
  turn: [
    step('friend-ask'),
    step('buy', 95, 46),
    step('friend-cancels'),
    step('friend-bid', 95, 99),
    step('sell', 95, 94),
    step('friend-cancels'),
    step('friend-ask', 95, 99),
    step('close'),
  ],
  /** The same with orders of the key that rest, for the friend to take. */
  rest: [step('bid'), step('friend-sells'), step('cancel'), step('ask'), step('friend-buys')],
  /** Stops that open as one. */
  storm: [step('stop-buy', 95, 10), step('stop-buy', 95, 10), step('friend-ask'), step('wait')],
  /** Stops that only reduce meet the friend. */
  protect: [
    step('friend-ask'),
    step('buy'),
    step('stop-close'),
    step('friend-bid', 99),
    step('levels'),
    step('trail'),
    step('wait'),
  ],
  /** A chase follows the friend to the last price, and is hit there. */
  lead: [
    step('chase-buy'),
    step('friend-leads'),
    step('wait'),
    step('friend-sells'),
    step('friend-cancels'),
    step('chase-sell'),
    step('friend-buys'),
  ],
  /** Pairs and stops with exits, each within the limit, fire as one. */
  pairs: [step('oco', 95, 15), step('oto', 95, 15), step('oco', 95, 15), step('friend-ask')],
  burst: [step('friend-ask'), step('burst'), step('friend-bid'), step('close')],
  /** Far beyond the last price, if anything is taken there. */
  far: [step('friend-ask', 99), step('buy', 99), step('friend-bid', 99), step('stop-close')],
}
