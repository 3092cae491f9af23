// Circles among things that name one another, as files do that import one another.

/** Each circle once, as the way round: `a b c` means that a names b, b names c, and c names a.
 *  Without circles there are none; of circles that share a piece, not each need be found. */
export function circlesIn(
  names: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  const found: string[][] = []
  const done = new Set<string>()
  const way: string[] = []
  const visit = (name: string): void => {
    if (done.has(name)) return
    const before = way.indexOf(name)
    if (before !== -1) return void found.push(way.slice(before))
    way.push(name)
    for (const next of names.get(name) ?? []) visit(next)
    way.pop()
    done.add(name)
  }
  for (const name of names.keys()) visit(name)
  return found
}
