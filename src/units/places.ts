// Names for offsets: the fields of a row within a larger array, in order.

/** Returns the offset of each name, counted from `first`. Call it once, at module level, so that
 *  compiled code contains the numbers. */
export function placesOf<Name extends string>(
  names: readonly Name[],
  first = 0,
): Readonly<Record<Name, number>> {
  const places = names.map((name, index) => [name, first + index])
  return Object.fromEntries(places) as Record<Name, number>
}
