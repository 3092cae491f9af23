// Retention of backups: the newest backup of each of the last days, the newest of each of the last
// weeks, and always the newest of all. This is a pure function of the names.

/** Name format with time and newest entry, such as `openperp-20261117T062500Z-1234`. */
const namePattern = /^openperp-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-\d+$/

export type Kept = Readonly<{ daily: number; weekly: number }>

export function backupName(atMs: number, seq: number): string {
  const stamp = new Date(atMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  return `openperp-${stamp}Z-${seq}`
}

/** Time of a backup; `null` if the name has another format. */
export function madeAtOf(name: string): number | null {
  const found = namePattern.exec(name)
  if (found === null) return null
  const [year, month, ...rest] = found.slice(1).map((text) => Number.parseInt(text, 10))
  return Date.UTC(year!, month! - 1, ...(rest as [number, number, number, number]))
}

const dayMs = 86_400_000
const dayOf = (atMs: number) => Math.floor(atMs / dayMs)
/** Number of the week. Weeks begin on Monday; 1 January 1970 was a Thursday. */
const weekOf = (atMs: number) => Math.floor((dayOf(atMs) + 3) / 7)

/** Names of backups, newest first. Other names are dropped. */
export function newestFirst(names: readonly string[]): readonly string[] {
  return names
    .filter((name) => madeAtOf(name) !== null)
    .toSorted((one, other) => madeAtOf(other)! - madeAtOf(one)! || (one < other ? 1 : -1))
}

/** Names of backups to remove. Other names are never returned. */
export function outdated(names: readonly string[], { daily, weekly }: Kept): readonly string[] {
  const ours = newestFirst(names)
  const stay = new Set(ours.slice(0, 1))
  for (const [count, spanOf] of [
    [daily, dayOf],
    [weekly, weekOf],
  ] as const) {
    const newestOf = new Map<number, string>()
    for (const name of ours) {
      const span = spanOf(madeAtOf(name)!)
      if (!newestOf.has(span)) newestOf.set(span, name)
    }
    for (const name of [...newestOf.values()].slice(0, count)) stay.add(name)
  }
  return ours.filter((name) => !stay.has(name))
}
