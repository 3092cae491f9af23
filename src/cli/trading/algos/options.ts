// What `chase` and `iceberg` have in common: their flags, and what follows from them.

import type { Client } from '../../../client/client.ts'
import { asked, signerOptions } from '../../connection.ts'
import type { Call, Values } from '../../frame/command.ts'
import { expireOption, expireTimeIn } from '../expiry.ts'
import { sideOf, timeText } from '../order-words.ts'

export const algoOptions = {
  ...signerOptions,
  ...expireOption,
  'reduce-only': { type: 'boolean', about: 'may only shrink the position' },
  'client-id': { type: 'string', value: '<uuid>', about: 'your own id of it' },
} as const

type Asking = Omit<Call, 'values'> & Readonly<{ values: Values<typeof algoOptions> }>

/** The fields of the request, from the first two words and the flags. */
export async function algoWish(call: Asking, client: Client) {
  const { values, words } = call
  const [symbol, side] = words as [string, string]
  const { expire } = values
  const now = async () => (await asked(call, client.getTime())).engine_now
  const expire_time = expire === undefined ? undefined : await expireTimeIn(expire, now)
  const client_order_id = values['client-id']
  return {
    symbol,
    side: sideOf(side),
    reduce_only: values['reduce-only'] === true,
    ...(client_order_id !== undefined && { client_order_id }),
    ...(expire_time !== undefined && { expire_time }),
  }
}

/** The line that says when it ends, if it was told. */
export function endsPairs({ expire_time }: { expire_time?: number }): [string, string][] {
  return expire_time === undefined ? [] : [['ends', timeText(expire_time)]]
}
