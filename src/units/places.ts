// Names for places: the fields of a row that lies among others in one array, in their order.

/** Where each of them stands, counted from `first`. Made once, at module level: compiled code then
 *  has the numbers. */
export function placesOf<Name extends string>(
  names: readonly Name[],
  first = 0,
): Readonly<Record<Name, number>> {
  const places = names.map((name, index) => [name, first + index])
  return Object.fromEntries(places) as Record<Name, number>
}
