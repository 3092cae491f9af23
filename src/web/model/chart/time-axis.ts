// Converts times to places on the time axis, which counts bars, and back. Between two bars it is
// linear; before the first and after the last it continues with the length of the interval.

type Timed = Readonly<{ t: number }>

/** Index of the bar that contains the time, with its fraction. */
export function indexAt(rows: readonly Timed[], length: number, at: number): number {
  const first = rows[0]
  const last = rows.at(-1)
  if (first === undefined || last === undefined) return 0
  if (at < first.t) return (at - first.t) / length
  if (at >= last.t) return rows.length - 1 + (at - last.t) / length
  let low = 0
  let high = rows.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (rows[middle]!.t <= at) low = middle
    else high = middle
  }
  return low + (at - rows[low]!.t) / (rows[high]!.t - rows[low]!.t)
}

/** Time at an index, which may have a fraction or be beyond the bars. */
export function timeAt(rows: readonly Timed[], length: number, index: number): number {
  const first = rows[0]
  const last = rows.at(-1)
  if (first === undefined || last === undefined) return 0
  if (index < 0) return Math.round(first.t + index * length)
  const whole = Math.floor(index)
  if (whole >= rows.length - 1) return Math.round(last.t + (index - rows.length + 1) * length)
  const [before, after] = rows.slice(whole, whole + 2)
  return Math.round(before!.t + (index - whole) * (after!.t - before!.t))
}
