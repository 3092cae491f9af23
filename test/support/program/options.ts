// The kinds of options that a program under bench/ or test/ can declare.

export type Option<Value> = Readonly<{
  about: string
  /** The value as `--help` names it; null for a switch, which takes none. */
  placeholder: string | null
  /** Without the option. */
  initial: Value
  /** The same in words, where the value itself does not say it. */
  initially?: string
  /** As in "--rounds must be a whole number, 1 or more". */
  accepts: string
  /** Undefined if the text is not accepted. */
  read(text: string): Value | undefined
}>

type NumberBounds = Readonly<{ min?: number; max?: number; initially?: string }>

const wholeNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : Number.NaN)

export function number<Initial extends number | null>(
  initial: Initial,
  about: string,
  { min = 1, max = Number.MAX_SAFE_INTEGER, initially }: NumberBounds = {},
): Option<number | Initial> {
  const upTo = max === Number.MAX_SAFE_INTEGER ? 'or more' : `to ${max}`
  return {
    ...{ about, placeholder: 'N', initial, ...(initially !== undefined && { initially }) },
    accepts: `a whole number, ${min} ${upTo}`,
    read: (text) => {
      const value = wholeNumber(text)
      return value >= min && value <= max ? value : undefined
    },
  }
}

/** The seed of what is drawn at random; without the option another one in each run. */
export const drawnSeed = (about = 'of what is drawn at random') =>
  number((Date.now() % 1_000_000) + 1, about, { initially: 'another one in each run' })

export function numbers(about: string): Option<readonly number[] | null> {
  return {
    ...{ about, placeholder: 'N,N', initial: null, accepts: 'whole numbers with commas between' },
    read: (text) => {
      const values = text.split(',').map(wholeNumber)
      return values.every(Number.isSafeInteger) ? values : undefined
    },
  }
}

export function text<Initial extends string | null>(
  initial: Initial,
  about: string,
  placeholder = 'TEXT',
): Option<string | Initial> {
  return { about, placeholder, initial, accepts: 'a text', read: (given) => given }
}

export function choice<Word extends string>(
  words: readonly Word[],
  about: string,
): Option<Word | null> {
  const shown =
    words.length === 2
      ? { about, placeholder: words.join('|') }
      : { about: `${about}: ${words.join(', ')}`, placeholder: 'NAME' }
  return {
    ...{ ...shown, initial: null, accepts: words.join(' or ') },
    read: (given) => words.find((word) => word === given),
  }
}

/** Some of these words, with commas between. */
export function choices(words: readonly string[], about: string): Option<readonly string[] | null> {
  return {
    ...{ about: `${about}: ${words.join(', ')}`, placeholder: 'NAME,NAME', initial: null },
    accepts: `one or more of ${words.join(', ')}`,
    read: (given) => {
      const found = given.split(',')
      return found.every((word) => words.includes(word)) ? found : undefined
    },
  }
}

/** A switch: off without the option. */
export function flag(about: string): Option<boolean> {
  return { about, placeholder: null, initial: false, accepts: '', read: () => undefined }
}
