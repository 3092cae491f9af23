// The summary of a proof of reserves, in micro-dollars. Everything in it may be published.

export type ReserveSummary = Readonly<{
  /** Entry of the journal, and its time. */
  seq: number
  atMs: number
  stateHash: string
  accounts: number
  /** Liabilities to accounts: the sum at the root. */
  liabilities: bigint
  /** The part of it owed to the exchange's own accounts: fees, insurance fund and backstops. */
  own: bigint
  /** Debts of accounts, including the deficit. No account's debt reduces what others are owed. */
  debts: bigint
  /** Funding lost to rounding. */
  funding: bigint
  /** All deposits less all completed withdrawals. */
  total: bigint
  /** Hexadecimal. */
  root: string
}>

/** The equation that must hold, exactly to the micro-dollar. */
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

/** `null` if it is not a summary. */
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

/** Micro-dollars as USD. */
export function usdOf(micro: bigint): string {
  const digits = (micro < 0n ? -micro : micro).toString().padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '')
  const text = `${digits.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`
  return micro < 0n ? `-${text}` : text
}

/** USD with at most six decimals as micro-dollars; `null` if it is neither. */
export function microOf(usd: string): bigint | null {
  const match = /^(-?)(\d{1,40})(?:\.(\d{1,6}))?$/.exec(usd)
  if (match === null) return null
  const [, sign, whole = '', fraction = ''] = match
  const micro = BigInt(whole + fraction.padEnd(6, '0'))
  return sign === '-' ? -micro : micro
}
