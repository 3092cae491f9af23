// The probably intended word: with few letters wrong, missing, added or exchanged.

/** `null` if none is similar. */
export function nearWord(given: string, words: readonly string[]): string | null {
  const begun = words.filter((word) => given.length >= 2 && word.startsWith(given))
  if (begun.length === 1) return begun[0]!
  let best: string | null = null
  let least = Math.max(1, Math.floor(given.length / 3)) + 1
  for (const word of words) {
    const distance = distanceOf(given.toLowerCase(), word)
    if (distance >= least) continue
    least = distance
    best = word
  }
  return best
}

/** Edit distance with changes, insertions, removals and exchanges of neighbours. */
function distanceOf(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1]
      const above = rows[i - 1]!
      let least = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1))
      const exchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (exchanged) least = Math.min(least, rows[i - 2]![j - 2]! + 1)
      row.push(least)
    }
    rows.push(row)
  }
  return rows[one.length]![other.length]!
}
