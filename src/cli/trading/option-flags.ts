// The options of an order as flags: enums and booleans; and the checks of orders that are cancelled
// when the protection of their account trips.

import type { Client } from '../../client/index.ts'
import {
  type OptionName,
  type OptionWords,
  optionNames,
  orderOptions,
  type Tif,
  timesInForce,
} from '../../protocol/words.ts'
import { accountOf, replyTo, type signerOptions } from '../connection.ts'
import type { Call } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { oneOf } from './order-words.ts'

type Flags = {
  readonly [K in OptionName]: (typeof orderOptions)[K]['words'] extends null
    ? Readonly<{ about: string }>
    : Readonly<{ value: string; about: string }>
}

export const optionFlags = Object.fromEntries(
  optionNames.map((name) => {
    const { words, typed: about } = orderOptions[name]
    const value = words === null ? null : `<${words.join('|')}>`
    return [name, value === null ? { about } : { value, about }]
  }),
) as unknown as Flags

type Values = Readonly<{ [K in OptionName]?: string | boolean | undefined }>

/** The requested options; for an order that never rests, only those that it may have. */
export function optionsIn(values: Values, rests: boolean): OptionWords {
  const given = optionNames.filter(
    (name) => values[name] !== undefined && (rests || orderOptions[name].ofTakers),
  )
  return Object.fromEntries(
    given.map((name) => {
      const { words } = orderOptions[name]
      const value = values[name]!
      return [name, words === null ? value : oneOf(`--${name}`, `${value}`, ...words)]
    }),
  )
}

/** `tif` is `null` unless it is a limit order. */
export function checkProtected(tif: Tif | null): void {
  if (tif !== null && tif !== 'GTC' && timesInForce[tif].rests) return
  const which = tif === null ? 'this one' : tif
  throw misused(`--mmp is of orders that never take, and ${which} may`, '--tif ALO or TOB')
}

/** The exchange accepts such an order without protection, although nothing would cancel it. */
export async function remarkUnprotected(
  call: Call<typeof signerOptions>,
  client: Client,
  symbol: string,
): Promise<void> {
  const rows = await replyTo(call, client.getMmp({ account: accountOf(call) }))
  if (rows.some((row) => row.symbol === symbol)) return
  call.screen.remark(
    `warning: no protection is set on ${symbol}, so --mmp ends nothing; ` +
      `\`openperp mmp set ${symbol} --max <size>\` sets one`,
  )
}
