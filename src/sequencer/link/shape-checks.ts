// Checks of a single value: whether it has the expected kind, and the error message if not.

/** Problem of a value, as the end of a sentence; `null` if there is none. */
export type Check = (value: unknown) => string | null

function shown(value: unknown): string {
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`
}

export function kind(words: string, fits: (value: unknown) => boolean): Check {
  return (value) => {
    if (fits(value)) return null
    if (value === undefined) return ` is missing: it must be ${words}`
    return ` must be ${words}, not ${shown(value)}`
  }
}

export const number = kind('a number', (value) => typeof value === 'number')
export const text = kind('a text', (value) => typeof value === 'string')
export const flag = kind('true or false', isFlag)
export const numberOrNull = kind('a number or null', (value) => value === null || isNumber(value))
export const textOrNull = kind(
  'a text or null',
  (value) => value === null || typeof value === 'string',
)
export const record = kind('an object', isRecord)
const list = kind('a list', Array.isArray)

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

export function isFlag(value: unknown): boolean {
  return typeof value === 'boolean'
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Extends a check to accept an absent field. */
export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? null : check(value)

export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? null : check(value)

export function recordOf(fields: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (!isRecord(value)) return record(value)
    for (const field in fields) {
      const fault = fields[field]!(value[field])
      if (fault !== null) return `.${field}${fault}`
    }
    const unknown = Object.keys(value).find((field) => field !== 'type' && !(field in fields))
    return unknown === undefined ? null : ` has no field ${unknown}`
  }
}

export function listOf(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return list(value)
    for (const [at, element] of value.entries()) {
      const fault = check(element)
      if (fault !== null) return `[${at}]${fault}`
    }
    return null
  }
}
