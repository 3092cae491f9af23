// What a proof of reserves says of the exchange as a whole, in micro-dollars. Everything in it may
// be published.

export type ReserveSummary = Readonly<{
  /** Entry of the journal, and its time. */
  seq: number
  atMs: number
  stateHash: string
  accounts: number
  /** What accounts are owed: the sum at the root. */
  liabilities: bigint
  /** Of it, the exchange's own: fees, insurance fund and backstops. */
  own: bigint
  /** What accounts owe, the deficit among them. No account's debt lowers what others are owed. */
  debts: bigint
  /** Funding that rounding will leave. */
  funding: bigint
  /** All deposits less all completed withdrawals. */
  total: bigint
  /** Hexadecimal. */
  root: string
}>

/** The one equation that must hold, to the last micro-dollar. */
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

/** Null: not a summary. */
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

/** USD with at most six places as micro-dollars; null: neither. */
export function microOf(usd: string): bigint | null {
  const match = /^(-?)(\d{1,40})(?:\.(\d{1,6}))?$/.exec(usd)
  if (match === null) return null
  const [, sign, whole = '', fraction = ''] = match
  const micro = BigInt(whole + fraction.padEnd(6, '0'))
  return sign === '-' ? -micro : micro
}
