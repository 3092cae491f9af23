// One message to a webhook: what happened, under an id that never changes, and a signature over the
// time and the bytes of the body.

import { createHmac } from 'node:crypto'
import type { PaymentRow } from '../../projections/history/history.ts'
import { formatDecimal } from '../../units/decimal.ts'

const quoteScale = 6

/** The same for ever: whoever keeps it applies nothing twice. */
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

/** `openperp-signature` is `v1=` and the HMAC-SHA256 of `<timestamp>.<body>` in hexadecimal. */
export function headersOf(body: string, secret: string, nowMs: number): Record<string, string> {
  const timestamp = `${Math.floor(nowMs / 1_000)}`
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return {
    'content-type': 'application/json',
    'user-agent': 'openperp',
    'openperp-id': JSON.parse(body).id,
    'openperp-timestamp': timestamp,
    'openperp-signature': `v1=${signature}`,
  }
}
