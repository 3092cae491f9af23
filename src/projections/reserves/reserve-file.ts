// A proof of reserves as a text file: the summary with the key of the salts, a line for each
// account by rising salt, and a line for each inner node. Lines of a kind have the same length, so
// that each can be read without the others. The file contains all balances and is meant for the
// operator and an auditor. Only the summary is published, and each owner gets the inclusion proof
// of its account.

import { type ReserveSummary, summaryIn, summaryText } from './reserve-summary.ts'
import { hashBytes, type Leaf, levelSizes, saltBytes, type TreeNode } from './reserve-tree.ts'

export const reserveFormat = 'openperp reserves 1'

const headBytes = 1_024
/** Number of digits of safe integers, and of sums of ten million of them. */
const moneyDigits = 16
const sumDigits = 24

export type ReserveHead = Readonly<{
  summary: ReserveSummary
  /** The salt of an account is the hash of this key and its address. */
  key: Uint8Array
  addressBytes: number
}>

const leafBytes = ({ addressBytes }: ReserveHead) =>
  saltBytes * 2 + 1 + moneyDigits + 1 + moneyDigits + 1 + addressBytes + 1
const nodeBytes = hashBytes * 2 + 1 + sumDigits + 1

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

export function headLine({ summary, key, addressBytes }: ReserveHead): Buffer {
  const parts = { format: reserveFormat, addressBytes, key: hex(key) }
  const text = JSON.stringify({ ...parts, summary: JSON.parse(summaryText(summary)) })
  return Buffer.from(`${text.padEnd(headBytes - 1)}\n`)
}

export function leafLine(leaf: Leaf, addressBytes: number): string {
  const money = (amount: number) => `${amount}`.padStart(moneyDigits)
  const amounts = `${money(leaf.liability)} ${money(leaf.debt)}`
  return `${hex(leaf.salt)} ${amounts} ${leaf.address.padEnd(addressBytes)}\n`
}

export function nodeLine({ hash, sum }: TreeNode): string {
  return `${hex(hash)} ${`${sum}`.padStart(sumDigits)}\n`
}

/** Offset and length of a line. */
export type Place = Readonly<{ offset: number; bytes: number }>

export const headPlace: Place = { offset: 0, bytes: headBytes }

export function leafPlace(head: ReserveHead, index: number): Place {
  const bytes = leafBytes(head)
  return { offset: headBytes + index * bytes, bytes }
}

/** Position of an inner node; the level above the leaves is 1. */
export function nodePlace(head: ReserveHead, level: number, at: number): Place {
  const { accounts } = head.summary
  const before = levelSizes(accounts)
    .slice(1, level)
    .reduce((sum, size) => sum + size, 0)
  const { offset } = leafPlace(head, accounts)
  return { offset: offset + (before + at) * nodeBytes, bytes: nodeBytes }
}

export function fileBytes(head: ReserveHead): number {
  const sizes = levelSizes(head.summary.accounts)
  return nodePlace(head, sizes.length, 0).offset
}

/** Parses the first line; `null` if it is not that of a proof of reserves. */
export function headIn(line: Buffer): ReserveHead | null {
  let parsed: Record<string, unknown>
  try {
    parsed = JSON.parse(line.toString('utf8'))
  } catch {
    // Not a proof of reserves.
    return null
  }
  if (parsed?.format !== reserveFormat) return null
  const summary = summaryIn(parsed.summary)
  const { key, addressBytes } = parsed
  if (summary === null || !/^[0-9a-f]{64}$/.test(String(key))) return null
  if (!Number.isSafeInteger(addressBytes) || (addressBytes as number) < 1) return null
  return {
    summary,
    key: Buffer.from(String(key), 'hex'),
    addressBytes: addressBytes as number,
  }
}

const leafForm = /^([0-9a-f]{64}) +(\d+) +(\d+) (.+?) *\n$/
const nodeForm = /^([0-9a-f]{64}) +(\d+)\n$/

/** Parses the line of an account; `null` if it is invalid. */
export function leafIn(line: Buffer): Leaf | null {
  const match = leafForm.exec(line.toString('utf8'))
  if (match === null) return null
  const [liability, debt] = [Number.parseInt(match[2]!, 10), Number.parseInt(match[3]!, 10)]
  if (!Number.isSafeInteger(liability) || !Number.isSafeInteger(debt)) return null
  return { salt: Buffer.from(match[1]!, 'hex'), liability, debt, address: match[4]! }
}

export function nodeIn(line: Buffer): TreeNode | null {
  const match = nodeForm.exec(line.toString('utf8'))
  if (match === null) return null
  return { hash: Buffer.from(match[1]!, 'hex'), sum: BigInt(match[2]!) }
}
