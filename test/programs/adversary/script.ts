// What a ring does: a list of moves, each a few small numbers, so that chance can change them and a
// line of text can keep them. Names say what the numbers mean; ring.ts carries them out.

import type { Random } from '../differential/random.ts'

/** When a move may be made. */
export const whens = [
  'always',
  /** The mark is behind what the last tick said. */
  'lag-down',
  'lag-up',
  /** The price outside has moved, and no tick has reported it yet. */
  'news-down',
  'news-up',
  'before-tick',
  'after-tick',
  'stale',
  'before-hour',
  'after-hour',
  'flat',
  'holding',
  'losing',
  'hurt',
  'winning',
  /** The operator restricts the market. */
  'restricted',
  /** The operator changed the market a moment ago, or will in a moment. */
  'changing',
  /** The market's backstop holds something. */
  'taken',
  /** Just before and after a premium is sampled. */
  'before-sample',
  'after-sample',
  /** As many minutes as its size says after the move before it, and one more. */
  'later',
  /** The price outside is at the end of the grid, or beyond it. */
  'off-grid',
  /** The process restarts, or another one takes the lead. */
  'restarted',
  /** The price outside is 5 % away from what the last tick said. */
  'leap-down',
  'leap-up',
  /** Honest traders offer about a percent of the mark, or more, to a taker. */
  'book-away',
] as const
export type When = (typeof whens)[number]

export const acts = [
  /** The one buys from the other at the price, or sells to it. */
  'pair-buy',
  'pair-sell',
  /** The one's whole position goes to the other at the price. */
  'hand-over',
  'bid',
  'ask',
  /** A bid and an ask of the impact value around the price; gone by the next `cancel`. */
  'squeeze-mark',
  'buy',
  'sell',
  'close',
  'cancel',
  'leverage',
  'mode',
  'margin',
  'withdraw',
  'transfer',
  'stops',
  'twap',
  'edit',
  'dust',
  'wait',
  /** Money that is brought later. */
  'deposit',
  /** The one buys from the other, or sells to it, at the price outside. */
  'pair-buy-outside',
  'pair-sell-outside',
  /** In one command: the quotes of before end, and new ones around the price stand. */
  'batch-quote',
  /** In one command: buys, protects what it bought, and sells a part of it again. */
  'batch-turn',
  /** In one command: a quote, and the order of its own account that would meet it. */
  'batch-edit',
  /** Quotes that follow the oracle at this distance keep the book there, until `cancel`. */
  'prop',
  /** Stops that follow the mark, and open when it comes back. */
  'trail',
  /** Several take-profits and stop-losses of what it holds. */
  'levels',
  /** An order that ends by itself a second later. */
  'timed',
  /** Quotes of one batch whose maker is protected: filled too fast, they are cancelled. */
  'shield',
  /** A size of which a part is shown. */
  'iceberg',
  /** An order and a stop, or two stops, of which one happens. */
  'oco',
  /** The smallest order before the best one of others. */
  'lead',
  /** Ten of the smallest orders that take. */
  'nibble',
  /** A size that stays at the best price. */
  'chase',
  /** Twenty of the smallest orders around the price, one behind the other. */
  'wall',
  /** Takes what honest traders offer away from the mark. */
  'sweep',
  /** Trades at the price with any account, as much as it can afford to lose. */
  'spend',
  /** Three reduce-only orders near the mark, together almost twice the position. */
  'cover',
] as const
export type Act = (typeof acts)[number]

export type Move = Readonly<{
  when: When
  act: Act
  who: number
  other: number
  market: number
  /** 0 to 99: of what it could do. */
  size: number
  /** 0 to 99: 50 is the mark, the ends are 30 % away. */
  price: number
  /** Turns that it waits for its time at most. */
  patience: number
}>

export type Script = Readonly<{
  members: number
  /** The number of subaccounts of the first member. */
  subaccounts: number
  moves: readonly Move[]
}>

/** How far from the mark or the oracle, as a part of it. */
export function awayOf({ price }: Move): number {
  const part = (price - 50) / 50
  return Math.sign(part) * part * part * 0.3
}

export const MARKETS = 3
const movesMax = 12

const digits = (value: number) => String(value).padStart(2, '0')

export function textOf({ members, subaccounts, moves }: Script): string {
  const texts = moves.map((move) =>
    [
      whens.indexOf(move.when),
      acts.indexOf(move.act),
      move.who,
      move.other,
      move.market,
      move.size,
      move.price,
      move.patience,
    ]
      .map(digits)
      .join(''),
  )
  return [`${members}${subaccounts}`, ...texts].join('-')
}

export function scriptOf(text: string): Script {
  const [head = '20', ...moves] = text.split('-')
  return {
    members: Number(head[0]),
    subaccounts: Number(head[1]),
    moves: moves.map((one) => {
      const numbers = one.match(/\d\d/g)?.map(Number) ?? []
      if (numbers.length !== 8) throw new Error(`not a move: ${one}`)
      const [when, act, who, other, market, size, price, patience] = numbers as [
        ...[number, number, number, number, number, number, number, number],
      ]
      const [name, deed] = [whens[when], acts[act]]
      if (name === undefined || deed === undefined) throw new Error(`not a move: ${one}`)
      return { when: name, act: deed, who, other, market, size, price, patience }
    }),
  }
}

function drawMove(random: Random, members: number): Move {
  const who = random.below(members)
  return {
    when: random.pick(whens),
    act: random.pick(acts),
    who,
    other: (who + 1 + random.below(Math.max(1, members - 1))) % members,
    market: random.chance(0.6) ? 0 : random.below(MARKETS),
    size: random.chance(0.3) ? 99 : random.below(100),
    price: random.chance(0.5) ? 50 : random.below(100),
    patience: random.chance(0.5) ? 99 : random.below(30),
  }
}

export function drawScript(random: Random): Script {
  const members = random.between(2, 5)
  return {
    members,
    subaccounts: random.chance(0.3) ? random.below(members) : 0,
    moves: Array.from({ length: random.between(3, 8) }, () => drawMove(random, members)),
  }
}

/** One or two changes: a number of a move, a move more, one less, two in another order. */
export function mutated(random: Random, script: Script): Script {
  const moves = [...script.moves]
  for (let times = random.between(1, 3); times > 0; times--) {
    const at = random.below(moves.length)
    const move = moves[at]!
    const drawn = drawMove(random, script.members)
    const what = random.below(6)
    if (what === 0 && moves.length < movesMax) moves.splice(at, 0, drawn)
    else if (what === 1 && moves.length > 1) moves.splice(at, 1)
    else if (what === 2) moves.push(...moves.splice(at, 1))
    else {
      const field = random.pick(Object.keys(move) as (keyof Move)[])
      moves[at] = { ...move, [field]: drawn[field] }
    }
  }
  return { ...script, moves: moves.slice(0, movesMax) }
}

/** Moves of one script, then those of another. */
export function crossed(random: Random, one: Script, other: Script): Script {
  const members = Math.max(one.members, other.members)
  const moves = [
    ...one.moves.slice(0, random.between(1, one.moves.length)),
    ...other.moves.slice(random.below(other.moves.length)),
  ]
  return { members, subaccounts: one.subaccounts, moves: moves.slice(0, movesMax) }
}
