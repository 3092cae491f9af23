// The options of an order as fields of a request.

import {
  type OptionName,
  type OptionWords,
  optionNames,
  orderOptions,
  type TakerOptionName,
} from '../order-options.ts'
import { optional } from './field-types.ts'
import { Type } from './typebox.ts'

const wordField = <K extends OptionName>(_name: K) =>
  optional(Type.Unsafe<NonNullable<OptionWords[K]>>(Type.Any()))
type OptionFields = { [K in OptionName]: ReturnType<typeof wordField<K>> }

function fieldOf(name: OptionName) {
  const { words, about: description } = orderOptions[name]
  return optional(
    words === null ? Type.Boolean({ description }) : Type.Enum(words, { description }),
  )
}

/** Of an order that may rest. */
export const optionFields = Object.fromEntries(
  optionNames.map((name) => [name, fieldOf(name)]),
) as unknown as OptionFields

/** Of one that never does. */
export const takerOptionFields = Object.fromEntries(
  optionNames
    .filter((name) => orderOptions[name].ofTakers)
    .map((name) => [name, optionFields[name]]),
) as unknown as Pick<OptionFields, TakerOptionName>
