// Why something happened to an account, or has not happened: the same explanation for every
// interface.

import { address, count, orNull, symbol, text } from './field-types.ts'
import { Type } from './typebox.ts'

const account = address('Account address; the caller must be its owner')
const id = (description: string) => Type.Integer({ minimum: 1, description })
const named = (description: string) => Type.Record(Type.String(), Type.String(), { description })
const rule = orNull(text(), 'Id of the rule, such as `ORDER-6`')

export const orderQuestion = Type.Object({
  account,
  order_id: id('Order id, also of a stop, a level, a TWAP, an iceberg or a chase'),
})
export const historyQuestion = Type.Object({
  account,
  history_id: id('Id in the history of fills, or of funding payments'),
})
const seqOrLatest = (description: string) =>
  Type.Union(
    [Type.String({ pattern: '^(latest|[1-9][0-9]{0,14})$', maxLength: 15 }), id(description)],
    { description: `${description}, or \`latest\`` },
  )

export const refusalQuestion = Type.Object({
  account,
  seq: seqOrLatest('Value of the header `openperp-seq` of the refusal'),
})
export const liquidationQuestion = Type.Object({
  account,
  seq: seqOrLatest('Sequence number at which the liquidation began'),
})
export const positionQuestion = Type.Object({ account, symbol })

const step = Type.Object({
  rule: text('Id of the rule'),
  document: text('Document with the rule'),
  formula: text('Formula in words'),
  inputs: named('Inputs of the formula, by name'),
  result: text('Result, computed from the inputs'),
  recorded: text('Result recorded in history'),
  agrees: Type.Boolean({ description: 'Whether the computed and the recorded result are equal' }),
})

const happening = Type.Object({
  seq: count('Sequence number in the history of the exchange'),
  time: text('Engine time'),
  what: text('Description of the event'),
  rule,
})

const pending = Type.Object({
  what: text('Future event, and its condition'),
  rule,
})

export const explanation = Type.Object({
  title: text('Name of the explained object'),
  facts: named('Facts about the object, by name'),
  happened: Type.Array(happening, { description: 'Events, oldest first' }),
  steps: Type.Array(step, { description: 'Calculation, step by step' }),
  pending: Type.Array(pending, {
    description: 'Possible future events of an open order or position',
  }),
  agrees: Type.Boolean({ description: 'Whether every step agrees with history' }),
})
