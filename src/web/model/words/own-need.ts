// The exchange checks the margin of a whole account: its refusal has the requirement of all
// positions and orders, and the equity behind them. The ticket shows what is available to an order,
// so its refusal has the shortage of this order.

import { usd } from '../number-text.ts'
import type { AccountNumbers } from '../wire.ts'

type Spendable = Pick<AccountNumbers, 'as' | 'aw'>

/** Money that a new order may use. The margin of an isolated position is paid from the balance. */
export function availableFor({ as, aw }: Spendable, isolated: boolean): string {
  return isolated && Number(aw) < Number(as) ? aw : as
}

const money = '([0-9.]+) USD'
/** Not followed by the remark on isolated margin, whose numbers are those of the order. */
const whole = new RegExp(
  `^((?:[A-Z_]+: )?insufficient balance: )${money} required, ${money} available(?! \\()`,
)

/** The message with the numbers of this order: the same shortage, measured from the available
 *  money. */
export function ownNeed(message: string, numbers: Spendable | null): string {
  const found = whole.exec(message)
  if (found === null || numbers === null) return message
  const [all, before, required, equity] = found as unknown as [string, string, string, string]
  const { as: available } = numbers
  const needed = Number(available) + Number(required) - Number(equity)
  const own =
    `${usd(needed)} USD required, with fees and the loss at its worst price, ` +
    `${usd(available)} USD available`
  return `${before}${own}${message.slice(all.length)}`
}
