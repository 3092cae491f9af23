// Common flags of `chase` and `iceberg`.

import type { Client } from '../../../client/client.ts'
import { signerOptions } from '../../connection.ts'
import type { Call, Values } from '../../frame/command.ts'
import { endingIn, expireOption } from '../expiry.ts'
import { ownFlags, sideOf } from '../order-words.ts'
import { previewOption } from '../preview.ts'

export const algoOptions = {
  ...signerOptions,
  ...expireOption,
  ...ownFlags,
  ...previewOption,
} as const

/** The shell's names of request fields. */
export const algoSaid = ([symbol = '']: readonly string[]) => ({
  symbol,
  flags: {
    display_amount: 'display',
    expire_time: '--expire',
    client_order_id: '--client-id',
    'send reduce_only true': 'give --reduce-only',
  },
})

type Asking = Omit<Call, 'values'> & Readonly<{ values: Values<typeof algoOptions> }>

/** The fields of the request, from the first two words and the flags. */
export async function algoWish(call: Asking, client: Client) {
  const { values, words } = call
  const [symbol, side] = words as [string, string]
  const client_order_id = values['client-id']
  return {
    symbol,
    side: sideOf(side),
    reduce_only: values['reduce-only'] === true,
    ...(client_order_id !== undefined && { client_order_id }),
    ...(await endingIn(call, client)),
  }
}
