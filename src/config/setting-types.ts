// The types of settings.

import { Type } from '../protocol/schemas/typebox.ts'
import type { About } from './about.ts'

export const oneOf = <const W extends string>(words: readonly W[], about: About) =>
  Type.Enum([...words], { ...about })
export const text = (about: About) => Type.String({ minLength: 1, ...about })
export const whole = (minimum: number, maximum: number, about: About) =>
  Type.Integer({ minimum, maximum, ...about })
export const flag = (about: About) => Type.Boolean({ ...about })
export const texts = (about: About) => Type.Array(Type.String(), { ...about })

export const portMax = 65_535
