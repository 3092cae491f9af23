// Take-profits and stop-losses as flags of `openperp order`: one price, or several with sizes.

import { misused } from '../frame/exit-codes.ts'

export const levelOptions = {
  tp: {
    value: '<price[:amount],…>',
    about: 'take-profit price, active after the fill; in parts: 61000:0.5,62000:0.5',
  },
  sl: {
    value: '<price[:amount],…>',
    about: 'stop-loss price, active after the fill; in parts as --tp',
  },
} as const

/** Fields of requests by their flags. */
export const levelFields = { take_profit: '--tp', stop_loss: '--sl' } as const

type Flags = Readonly<{ [K in keyof typeof levelOptions]?: string | undefined }>

/** The fields of the request. */
export function levelsIn({ tp, sl }: Flags) {
  return { take_profit: levels('--tp', tp), stop_loss: levels('--sl', sl) }
}

/** The levels as entered. */
export function levelPairs({ tp, sl }: Flags): [string, string][] {
  return [
    ...(tp === undefined ? [] : [['take profit', tp] satisfies [string, string]]),
    ...(sl === undefined ? [] : [['stop loss', sl] satisfies [string, string]]),
  ]
}

function levels(flag: string, text: string | undefined) {
  if (text === undefined) return undefined
  const [first, ...more] = text.split(',').map((part) => levelOf(flag, part))
  return more.length === 0 ? first! : [first!, ...more]
}

function levelOf(flag: string, part: string) {
  const [stop_price = '', amount, ...rest] = part.split(':')
  if (stop_price === '' || amount === '' || rest.length > 0)
    throw misused(`${flag} ${part} is not a price, or a price and an amount`, 'such as 61000:0.5')
  return amount === undefined ? { stop_price } : { stop_price, amount }
}
