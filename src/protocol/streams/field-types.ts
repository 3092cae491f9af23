// The fields that rows of several channels share.

import { address, decimal, timeMs } from '../schemas/field-types.ts'
import { Type } from '../schemas/typebox.ts'

export { address, decimal, side, symbol, timeMs } from '../schemas/field-types.ts'

export const li = Type.Integer({
  description: 'Engine sequence number; the same event has the same one everywhere',
})
export const at = timeMs('Engine time')
export const user = address('Address of the account')
export const orderId = Type.Integer({ description: 'Order id' })
export const flag = (description: string) => Type.Boolean({ description })
export const word = (words: readonly string[], description: string) =>
  Type.Enum([...words], { description })
export const orNull = (description: string) =>
  Type.Union([decimal(description), Type.Null()], { description })
export const idOrNull = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description })
export const textOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description })
export const clientId = textOrNull('Your own id of the order, if it has one')
export const closings = ['open_long', 'open_short', 'close_long', 'close_short'] as const
export const kinds = [...closings, 'force_close_long', 'force_close_short'] as const
export const tradeCauses = [
  'normal',
  'market_liquidation',
  'backstop_liquidation',
  'deleverage',
  'settlement',
] as const
