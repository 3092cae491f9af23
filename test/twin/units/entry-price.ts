// The entry price as text (UNITS-3), by long division on BigInts.

import { abs } from './numbers.ts'

const DIGITS = 28

/** cost ÷ lots in dollars per base unit: 28 significant digits, half to even. */
export function entryPriceText(cost: bigint, lots: bigint, lotsPerUnit: bigint): string {
  const over = abs(cost) * lotsPerUnit
  const under = abs(lots) * 1_000_000n
  // The scale at which the quotient has exactly 28 digits.
  let scale = 0
  while (over * 10n ** BigInt(scale) < under * 10n ** BigInt(DIGITS - 1)) scale += 1
  const scaled = over * 10n ** BigInt(scale)
  let digits = scaled / under
  const twice = 2n * (scaled % under)
  if (twice > under || (twice === under && digits % 2n === 1n)) digits += 1n
  const text = digits.toString().padStart(scale + 1, '0')
  const whole = text.slice(0, text.length - scale)
  const fraction = text.slice(text.length - scale).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
