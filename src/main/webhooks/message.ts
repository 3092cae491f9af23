// A webhook message: a payment event with an id that never changes, and a signature over the time
// and the body.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PaymentRow } from '../../projections/history/history.ts'
import { formatDecimal } from '../../units/decimal.ts'

const quoteScale = 6

/** Id of the message. It never changes, so that receivers can ignore duplicates. */
export const messageId = ({ seq, place }: Pick<PaymentRow, 'seq' | 'place'>): string =>
  `${seq}-${place}`

export function bodyOf(row: PaymentRow): string {
  return JSON.stringify({
    id: messageId(row),
    type: row.kind,
    at: row.atMs,
    seq: row.seq,
    account: row.account,
    amount: formatDecimal(row.amount, quoteScale),
    withdrawal_id: row.withdrawal,
    reference: row.reference,
  })
}

export function headersOf(body: string, secret: string, nowMs: number): Record<string, string> {
  return {
    'content-type': 'application/json',
    'openperp-id': JSON.parse(body).id,
    ...signedHeaders(body, secret, nowMs),
  }
}

/** Returns the signed headers. `openperp-signature` is `v1=` and the HMAC-SHA256 of
 *  `<timestamp>.<text>` in hexadecimal. */
export function signedHeaders(text: string, secret: string, nowMs: number): Record<string, string> {
  const timestamp = `${Math.floor(nowMs / 1_000)}`
  return {
    'user-agent': 'openperp',
    'openperp-timestamp': timestamp,
    'openperp-signature': `v1=${macOf(timestamp, text, secret).toString('hex')}`,
  }
}

const macOf = (timestamp: string, text: string, secret: string) =>
  createHmac('sha256', secret).update(`${timestamp}.${text}`).digest()

const freshSeconds = 300

/** Whether the text was signed with the secret within the allowed time. */
export function isSigned(headers: Headers, text: string, secret: string, nowMs: number): boolean {
  const timestamp = headers.get('openperp-timestamp') ?? ''
  const hex = (headers.get('openperp-signature') ?? '').replace(/^v1=/, '')
  const given = Buffer.from(hex, 'hex')
  const due = macOf(timestamp, text, secret)
  const isFresh = Math.abs(nowMs / 1_000 - Number(timestamp)) <= freshSeconds
  return isFresh && given.length === due.length && timingSafeEqual(given, due)
}
