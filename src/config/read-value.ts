// One value of a setting, as a file, a variable or a flag gives it, against its schema. Variables
// and flags are text: whole numbers, on and off, and lists with commas are read from it.

import { Check, type TSchema } from '../protocol/schemas/typebox.ts'
import type { About } from './about.ts'
import { ConfigError } from './config-error.ts'

/** The parts of a schema that this file reads. */
type Shape = Readonly<{
  type?: string
  enum?: readonly string[]
  anyOf?: readonly Shape[]
  items?: Shape
  properties?: Readonly<Record<string, Shape>>
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  /** Never repeated in a message. */
  secret?: true
}> &
  Partial<About>

/** Throws a ConfigError that says what `from` must be. */
export function readValue(schema: TSchema, from: string, given: unknown): unknown {
  const shape = schema as unknown as Shape
  return shape.read?.(from, given) ?? read(shape, from, given)
}

function read(shape: Shape, from: string, given: unknown): unknown {
  if (shape.items?.properties !== undefined) return readObjects(shape, from, given)
  const value = typedOf(shape, given)
  if (Check(shape as unknown as TSchema, value)) return value
  // An item of a list that is known by its words is named with them.
  const words = shape.items?.enum === undefined ? shape : shape.items
  throw new ConfigError(
    `${from} must be ${wantedOf(words)}${shape.secret ? '' : `, not ${JSON.stringify(given)}`}`,
  )
}

function typedOf(shape: Shape, given: unknown): unknown {
  if (shape.anyOf !== undefined) return given === 'off' ? given : wholeOf(given)
  switch (shape.type) {
    case 'integer':
      return wholeOf(given)
    case 'boolean':
      return given === 'true' || given === 'on' ? true : falseOf(given)
    case 'array':
      return typeof given === 'string' ? given.split(',').filter((each) => each !== '') : given
    default:
      return given
  }
}

const wholeOf = (given: unknown) =>
  typeof given === 'string' && /^[0-9]{1,15}$/.test(given) ? Number.parseInt(given, 10) : given

const falseOf = (given: unknown) => (given === 'false' || given === 'off' ? false : given)

function wantedOf({ wanted, enum: words, type, ...shape }: Shape): string {
  if (wanted !== undefined) return wanted
  if (words !== undefined) return `one of ${words.join(', ')}`
  if (type === 'integer') return `a whole number from ${shape.minimum} to ${shape.maximum}`
  if (type === 'boolean') return 'on or off'
  if (type === 'array') return 'a list of texts'
  const { minLength, maxLength } = shape
  return maxLength === undefined ? 'a text' : `a text of ${minLength} to ${maxLength} characters`
}

/** In a variable: `name:token:scope+scope` with commas. What is given may be secret, so that no
 *  message has it but for the fields that are not. */
function readObjects(shape: Shape, from: string, given: unknown): unknown {
  const items = typeof given === 'string' ? objectsOfText(from, given) : given
  if (!Array.isArray(items)) throw new ConfigError(`${from} must be ${wantedOf(shape)}`)
  const fields = Object.entries(shape.items!.properties!)
  return items.map((item: Readonly<Record<string, unknown>>, at) =>
    Object.fromEntries(
      fields.map(([name, field]) => [
        name,
        read(field, `${from}[${at}].${name}`, item?.[name] ?? field.default),
      ]),
    ),
  )
}

function objectsOfText(from: string, text: string) {
  return text.split(',').map((each) => {
    const [name, token, scopes] = each.split(':')
    if (scopes === undefined)
      throw new ConfigError(`${from} must be \`name:token:scope+scope\`, separated by commas`)
    return { name, token, scopes: scopes.split('+') }
  })
}
