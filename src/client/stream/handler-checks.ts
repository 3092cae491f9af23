// Checks the handlers that a caller passes to a stream.

export const frameHandlers = { frame: true, gap: false, down: false, refused: false } as const
export const bookHandlers = { changed: false, gap: false, refused: false } as const

/** Checks handlers immediately. Otherwise an invalid handler would fail with the first frame at
 *  the earliest.
 *  `names`: the known handlers, and whether each is required. */
export function requireHandlers(given: unknown, names: Readonly<Record<string, boolean>>): void {
  const known = Object.keys(names).join(', ')
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`handlers must be a function, or an object with some of ${known}`)
  for (const name of Object.keys(given))
    if (!(name in names)) throw new TypeError(`${name} is not a handler; there are ${known}`)
  for (const [name, isRequired] of Object.entries(names)) {
    const handler = (given as Record<string, unknown>)[name]
    if (typeof handler !== 'function' && (isRequired || handler !== undefined))
      throw new TypeError(`the handler ${name} must be a function`)
  }
}
