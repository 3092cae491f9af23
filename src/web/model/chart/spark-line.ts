// A small line without axes: the path of its values in a box.

type Box = Readonly<{ width: number; height: number }>

/** SVG path; empty with fewer than two values. There is room for `places` values; fewer end at the
 *  right. The lowest value is at the bottom, equal values are a line in the middle. */
export function sparkPath(
  values: readonly number[],
  { width, height }: Box,
  places = values.length,
): string {
  if (values.length < 2) return ''
  const low = Math.min(...values)
  const span = Math.max(...values) - low
  const step = width / (places - 1)
  const place = (value: number, at: number) => {
    const y = span === 0 ? height / 2 : height * (1 - (value - low) / span)
    return `${round(width - (values.length - 1 - at) * step)} ${round(y)}`
  }
  return `M${values.map(place).join('L')}`
}

const round = (value: number) => Math.round(value * 10) / 10
