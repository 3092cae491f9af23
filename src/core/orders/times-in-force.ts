// Times in force: what an order does when it meets the book, and what becomes of its rest (ORDER-3,
// ORDER-4). A new one is a row here, at the end: events and journals keep the place.

export type TimeInForce = Readonly<{
  /** It takes what it crosses, and so waits at the speed bump. */
  takes: boolean
  /** What is left of it rests; otherwise it ends `expired`. */
  rests: boolean
  /** All of it is filled at once, or nothing. */
  whole: boolean
  /** Where it would cross and may not take it moves one tick off the best price; otherwise it ends
   *  `post_only_rejected`. */
  stepsAside: boolean
}>

export const timesInForce = {
  GTC: { takes: true, rests: true, whole: false, stepsAside: false },
  IOC: { takes: true, rests: false, whole: false, stepsAside: false },
  FOK: { takes: true, rests: false, whole: true, stepsAside: false },
  ALO: { takes: false, rests: true, whole: false, stepsAside: false },
  TOB: { takes: false, rests: true, whole: false, stepsAside: true },
} as const satisfies Readonly<Record<string, TimeInForce>>

export type Tif = keyof typeof timesInForce

export const tifs = Object.keys(timesInForce) as readonly Tif[]

// Places of those that the engine itself gives to orders.
export const GTC = 0
export const IOC = 1
export const FOK = 2
export const ALO = 3

/** What a command says may be any word. */
export function isTif(word: string): word is Tif {
  return Object.hasOwn(timesInForce, word)
}

/** The place of a word, −1 for any other. */
export function tifOf(word: string): number {
  return tifs.indexOf(word as Tif)
}

const byPlace: readonly TimeInForce[] = Object.values(timesInForce)

/** An order whose word is none is refused; until then it is treated like any. */
export function timeInForceOf(place: number): TimeInForce {
  return byPlace[place] ?? timesInForce.GTC
}
