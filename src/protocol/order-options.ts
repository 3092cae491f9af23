// What few orders ask for: a word of a list, or that it is so. Names and words are those of the
// commands that they become (`core/orders/order-options.ts`). Requests, previews and the command
// line have them from here.

import { selfTradeModes } from './words.ts'

type OrderOption = Readonly<{
  /** Null: true or false. The first word is the one that counts where nobody said another. */
  words: readonly string[] | null
  /** Whether an order that never rests may have it. */
  ofTakers: boolean
  about: string
  /** The same in short, for whoever types it. */
  typed: string
}>

export const orderOptions = {
  stp: {
    words: selfTradeModes,
    ofTakers: true,
    about:
      'Where it meets an order of its owner: cancel_maker ends that one, cancel_taker this one, ' +
      'cancel_both both; cancel_maker unless said otherwise',
    typed: 'which gives way where it meets an order of yours; cancel_maker unless given',
  },
  mmp: {
    words: null,
    ofTakers: false,
    about:
      'It ends when the protection of its account on this market is tripped (/account/mmp/set; ' +
      'where none is set, nothing ends it); ALO and TOB only',
    typed: 'it ends when protection trips (`openperp mmp`)',
  },
} as const satisfies Readonly<Record<string, OrderOption>>

export type OptionName = keyof typeof orderOptions
export type TakerOptionName = {
  [K in OptionName]: (typeof orderOptions)[K]['ofTakers'] extends true ? K : never
}[OptionName]

/** What an order of these options says. */
export type OptionWords = {
  readonly [K in OptionName]?: WordOf<K> | null
}
type WordOf<K extends OptionName> = (typeof orderOptions)[K]['words'] extends readonly (infer W)[]
  ? W
  : boolean

export const optionNames = Object.keys(orderOptions) as readonly OptionName[]
