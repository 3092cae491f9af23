// Reports of custody: a deposit that arrived, or the result of a payment. CSV files and HTTP
// answers have the same fields. Each field is checked, and errors list the accepted values.

import { limits } from '../../core/index.ts'
import { parseAddress } from '../../protocol/address.ts'
import {
  isPaymentReference,
  isReason,
  paymentReferenceRule,
  reasonRule,
} from '../../protocol/admin/operator-texts.ts'
import { formatDecimal, parseDecimal } from '../../units/decimal.ts'

export const reportFields = [
  ...(['type', 'reference', 'account', 'amount', 'withdrawal_id', 'reason'] as const),
] as const
type FieldName = (typeof reportFields)[number]

/** Raw text of each field; a missing field is empty. */
export type Written = Readonly<Partial<Record<FieldName, string>>>

export type Report =
  | Readonly<{ type: 'deposit'; reference: string; account: string; amount: number }>
  | Readonly<{ type: 'completed'; withdrawal: number; reference: string }>
  | Readonly<{ type: 'failed'; withdrawal: number; reason: string }>

/** An invalid field, with an explanation. */
export type Slip = Readonly<{ column: FieldName; says: string }>

const needed: Readonly<Record<Report['type'], readonly FieldName[]>> = {
  deposit: ['reference', 'account', 'amount'],
  completed: ['withdrawal_id', 'reference'],
  failed: ['withdrawal_id', 'reason'],
}

const quoteScale = 6
const reasonMax = 400

export function readReport(written: Written): Report | Slip {
  const { type = '' } = written
  if (type !== 'deposit' && type !== 'completed' && type !== 'failed')
    return { column: 'type', says: `${quoted(type)} must be deposit, completed or failed` }
  for (const column of reportFields) {
    const text = written[column] ?? ''
    if (column === 'type') continue
    const says = needed[type].includes(column)
      ? slipIn(column, text)
      : text !== '' && `${quoted(text)} must be empty in a row of type ${type}`
    if (says !== false) return { column, says }
  }
  const { reference = '', account = '', reason = '' } = written
  if (type === 'deposit') return { type, reference, account, amount: amountIn(written.amount!) }
  const withdrawal = Number.parseInt(written.withdrawal_id!, 10)
  if (type === 'completed') return { type, withdrawal, reference }
  return { type, withdrawal, reason }
}

export const isSlip = (read: Report | Slip): read is Slip => 'says' in read

/** Quotes a cell, shortened for messages. */
const quoted = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

function amountIn(text: string): number {
  const parsed = parseDecimal(text, quoteScale)
  return parsed.ok ? parsed.value : 0
}

function slipInAmount(text: string): string | false {
  const parsed = parseDecimal(text, quoteScale)
  const isTooLarge = parsed.ok ? parsed.value > limits.moneyMax : parsed.reason === 'too_large'
  if (isTooLarge && !text.startsWith('-'))
    return `${quoted(text)} is too large: at most ${formatDecimal(limits.moneyMax, quoteScale)} USD`
  if (parsed.ok && parsed.value >= 1) return false
  return `${quoted(text)} must be USD above 0 with 6 decimals at most, such as 2500.5`
}

/** Returns the problem of the field; `false` if it is valid. */
function slipIn(column: Exclude<FieldName, 'type'>, text: string): string | false {
  switch (column) {
    case 'account':
      if (parseAddress(text) !== null) return false
      return `${quoted(text)} must be an address: the base58 of a 32-byte Ed25519 public key`
    case 'amount':
      return slipInAmount(text)
    case 'withdrawal_id':
      if (/^[1-9]\d{0,14}$/.test(text)) return false
      return `${quoted(text)} must be the id of a withdrawal, such as 12`
    case 'reference':
      return !isPaymentReference(text) && `${quoted(text)} ${paymentReferenceRule}`
    case 'reason':
      return !isReason(text, reasonMax) && `${quoted(text)} must be ${reasonRule(reasonMax)}`
  }
}
