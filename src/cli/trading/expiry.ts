// Expiry of an order as typed: after a duration, or at a moment. Durations are counted by the clock
// of the exchange, which in a sandbox is not the machine's.

import type { Client } from '../../client/client.ts'
import { replyTo } from '../connection.ts'
import { lengthOf } from '../frame/duration.ts'
import { momentMs } from '../frame/moment.ts'
import { timeText } from './order-words.ts'

export const expireOption = {
  expire: { value: '<in|at>', about: 'when it expires: 10m, 1h30m, or at 2026-11-01T12:30Z' },
} as const

type Asking = Parameters<typeof replyTo>[0] &
  Readonly<{ values: Readonly<{ expire?: string | undefined }> }>

/** The field of the request. */
export type Ending = Readonly<{ expire_time?: number }>

export async function endingIn(call: Asking, client: Client): Promise<Ending> {
  const { expire } = call.values
  if (expire === undefined) return {}
  const now = async () => (await replyTo(call, client.getTime())).engine_now
  return { expire_time: await expireTimeIn(expire, now) }
}

/** The line with the expiry, if it has one. */
export function endsPairs({ expire_time }: Ending): [string, string][] {
  return expire_time === undefined ? [] : [['ends', timeText(expire_time)]]
}

/** `now` is called only if needed. */
export async function expireTimeIn(
  text: string,
  now: () => Promise<number>,
  flag = '--expire',
): Promise<number> {
  if (/^\d+-/.test(text)) return momentMs(flag, text)
  return (
    (await now()) + lengthOf(flag, text, 'a time of day, such as 2026-11-01T12:30Z, or how long')
  )
}
