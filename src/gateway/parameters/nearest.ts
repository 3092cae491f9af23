// The nearest values on a grid to a decimal that is off the grid.

import type { Step } from '../../core/index.ts'

const decimalText = /^(-?)([0-9]{1,15})(?:\.([0-9]{1,18}))?$/

/** The nearest steps below and above, without values that are not positive; empty if the text is
 *  not a decimal. */
export function nearestOnGrid(text: string, { value, scale }: Step): readonly number[] {
  const match = decimalText.exec(text)
  if (match === null || match[1] === '-') return []
  const [, , whole = '', fraction = ''] = match
  const places = Math.max(scale, fraction.length)
  const amount = BigInt(whole + fraction.padEnd(places, '0'))
  const step = BigInt(value) * 10n ** BigInt(places - scale)
  const below = amount / step
  const steps = amount % step === 0n ? [below] : [below, below + 1n]
  return steps
    .filter((each) => each > 0n && each <= BigInt(Number.MAX_SAFE_INTEGER))
    .map((each) => Number(each))
}
