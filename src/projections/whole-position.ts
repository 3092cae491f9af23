// How large a stop is that was set without a size: it follows the position. While it is open that
// is what the position is; with the position gone, what there was when the command began that
// ended it.

/** `lots` of the position are signed: an ask closes a long, a bid a short. */
export function closable(side: 'bid' | 'ask', lots: number): number {
  return Math.max(0, side === 'ask' ? lots : -lots)
}

type Held = Readonly<{
  now: number
  /** Before the command whose events are being read. */
  began: number
  /** What the stop was told with last. */
  told: number
}>

/** The size to tell of a step, which may be its end. */
export function wholeSize(side: 'bid' | 'ask', { now, began, told }: Held): number {
  return closable(side, now) || closable(side, began) || told
}
