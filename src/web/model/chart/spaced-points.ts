// Points at even distances, so that the time axis of a chart of bars has a place for each period.

type Timed = Readonly<{ at: number }>

/** The starts of the periods between the first and the last point that have no point. At most
 *  `most`: a chart with more is drawn without them. */
export function missingTimes(points: readonly Timed[], step: number, most = 2_000): number[] {
  const times = points.map(({ at }) => Math.floor(at / step) * step)
  const [first, last] = [Math.min(...times), Math.max(...times)]
  if (points.length < 2 || (last - first) / step > most) return []
  const known = new Set(times)
  const missing: number[] = []
  for (let at = first + step; at < last; at += step) if (!known.has(at)) missing.push(at)
  return missing
}

/** A range of values that contains zero and is at least so large, for an axis whose labels differ
 *  even if all values are equal. */
export function rangeWithZero(low: number, high: number, least: number): [number, number] {
  const [from, to] = [Math.min(0, low), Math.max(0, high)]
  if (to - from >= least) return [from, to]
  return from < 0 && to > 0 ? [-least / 2, least / 2] : from < 0 ? [-least, 0] : [0, least]
}
