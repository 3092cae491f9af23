// What the programs that torture a cluster are told.

/** Null: not given. */
export function textOf(flag: string): string | null {
  const at = process.argv.indexOf(flag)
  return at < 0 ? null : (process.argv[at + 1] ?? '')
}

export function numberOf(flag: string, otherwise: number): number {
  const value = Number.parseInt(textOf(flag) ?? String(otherwise), 10)
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new Error(`${flag}: not a number above 0`)
}
