// The summary of a proof of reserves, in micro-dollars. Everything in it may be published.

export type ReserveSummary = Readonly<{
  /** The journal entry of the proof, and its time. */
  seq: number
  atMs: number
  stateHash: string
  accounts: number
  /** Total owed to accounts, which is the sum at the root. */
  liabilities: bigint
  /** The part of the liabilities that is owed to the exchange's own accounts: fees, insurance fund
   *  and backstops. */
  own: bigint
  /** Total debts of accounts, including the deficit. An account's debt does not reduce the
   *  liabilities to others. */
  debts: bigint
  /** Funding amount lost to rounding. */
  funding: bigint
  /** Deposits less completed withdrawals. */
  total: bigint
  /** In hexadecimal. */
  root: string
}>

/** Whether the amounts are consistent, exactly to the micro-dollar. */
export function addsUp({ liabilities, debts, funding, total }: ReserveSummary): boolean {
  return liabilities - debts + funding === total
}

const amounts = ['liabilities', 'own', 'debts', 'funding', 'total'] as const
const counts = ['seq', 'atMs', 'accounts'] as const
const hashes = ['stateHash', 'root'] as const

export function summaryText(summary: ReserveSummary): string {
  const texts = amounts.map((name) => [name, summary[name].toString()])
  return JSON.stringify({ ...summary, ...Object.fromEntries(texts) })
}

/** Returns `null` if the value is not a summary. */
export function summaryIn(value: unknown): ReserveSummary | null {
  if (typeof value !== 'object' || value === null) return null
  const given = value as Record<string, unknown>
  const parts: Record<string, unknown> = {}
  for (const name of counts) {
    if (!Number.isSafeInteger(given[name]) || (given[name] as number) < 0) return null
    parts[name] = given[name]
  }
  for (const name of hashes) {
    if (!/^[0-9a-f]{64}$/.test(String(given[name]))) return null
    parts[name] = given[name]
  }
  for (const name of amounts) {
    if (!/^-?\d{1,40}$/.test(String(given[name]))) return null
    parts[name] = BigInt(String(given[name]))
  }
  return parts as ReserveSummary
}

/** Formats micro-dollars as USD. */
export function usdOf(micro: bigint): string {
  const digits = (micro < 0n ? -micro : micro).toString().padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '')
  const text = `${digits.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`
  return micro < 0n ? `-${text}` : text
}

/** Parses USD with up to six decimals as micro-dollars; `null` if the text is not valid. */
export function microOf(usd: string): bigint | null {
  const match = /^(-?)(\d{1,40})(?:\.(\d{1,6}))?$/.exec(usd)
  if (match === null) return null
  const [, sign, whole = '', fraction = ''] = match
  const micro = BigInt(whole + fraction.padEnd(6, '0'))
  return sign === '-' ? -micro : micro
}
