// Bars of the chart: the numbers of candles, as the drawing library and the indicators use them.

export type Bar = Readonly<{
  /** Start of the bar, in ms. */
  at: number
  open: number
  high: number
  low: number
  close: number
  volume: number
}>

/** The start of a candle and its numbers, as the API writes them. */
export type CandleText = Readonly<{
  t: number
  o: string
  h: string
  l: string
  c: string
  v: string
}>

export function barOf({ t, o, h, l, c, v }: CandleText): Bar {
  return {
    at: t,
    open: Number(o),
    high: Number(h),
    low: Number(l),
    close: Number(c),
    volume: Number(v),
  }
}

/** Heikin-Ashi bars: the close is the mean of the bar, the open is the middle of the bar before. */
export function heikinAshi(bars: readonly Bar[]): readonly Bar[] {
  let before: Bar | null = null
  return bars.map((bar) => {
    const close = (bar.open + bar.high + bar.low + bar.close) / 4
    const open: number = before === null ? (bar.open + bar.close) / 2 : middleOf(before)
    before = {
      ...bar,
      open,
      close,
      high: Math.max(bar.high, open, close),
      low: Math.min(bar.low, open, close),
    }
    return before
  })
}

const middleOf = ({ open, close }: Bar) => (open + close) / 2
