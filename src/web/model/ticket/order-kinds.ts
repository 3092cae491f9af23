// The kinds of orders of the ticket, and their properties.

type Kind = Readonly<{
  label: string
  /** One line for users who have not used this kind before. */
  about: string
  /** Whether it is shown in the row of main kinds; the others are in one menu. */
  main: boolean
  /** Whether it may have take-profits and stop-losses. */
  levels: boolean
  /** Whether it only places post-only orders, so that it never takes. */
  rests: boolean
  /** Whether a refused preview prevents sending. */
  checked: boolean
  /** Order that the figures refer to, if they do not refer to the draft itself. */
  figures: string
}>

const more = { main: false, levels: false, rests: false, checked: true } as const

/** Seconds between two slices of a TWAP. */
export const sliceSeconds = 30

export const orderKinds = {
  limit: {
    label: 'Limit',
    about: 'At your price or better. What does not trade immediately rests in the book.',
    main: true,
    levels: true,
    rests: false,
    checked: false,
    figures: '',
  },
  market: {
    label: 'Market',
    about: 'Immediately, against the book, up to a worst price.',
    main: true,
    levels: true,
    rests: false,
    checked: false,
    figures: '',
  },
  stop: {
    label: 'Stop',
    about: 'Waits until the mark, last or mid price reaches a level, or the mark turns back.',
    main: true,
    levels: true,
    rests: false,
    checked: false,
    figures: 'If it fired now',
  },
  oco: {
    ...more,
    label: 'OCO',
    about: 'Two linked orders: when one executes, the other is cancelled.',
    figures: 'Of the order that rests',
  },
  iceberg: {
    ...more,
    label: 'Iceberg',
    about: 'Rests at your price and shows a part at a time; the next one comes when it is filled.',
    rests: true,
    figures: 'All of its parts, filled',
  },
  chase: {
    ...more,
    label: 'Chase',
    about: 'Stays at the best price without taking, never beyond your bound, for an hour at most.',
    rests: true,
    figures: 'All of it, filled at the bound, or as near to it as rests now',
  },
  scale: {
    ...more,
    label: 'Scale',
    about: 'One size spread over several limit orders, from one price to another.',
    figures: 'All of its orders, filled',
  },
  twap: {
    ...more,
    label: 'TWAP',
    about: `Executed at market in equal slices, one every ${sliceSeconds} seconds.`,
    checked: false,
    figures: 'All of it, traded at the mark now',
  },
} as const satisfies Readonly<Record<string, Kind>>

export type OrderKind = keyof typeof orderKinds

export const kindNames = Object.keys(orderKinds) as readonly OrderKind[]
export const mainKinds = kindNames.filter((kind) => orderKinds[kind].main)
export const otherKinds = kindNames.filter((kind) => !orderKinds[kind].main)

/** Possible combinations of an OCO's legs. */
export const pairs = {
  rests: 'A limit order and a stop',
  stops: 'Two stops, same side',
  breakout: 'Buy above, sell below',
} as const
export type Pair = keyof typeof pairs
