// The kinds of fields that events have.

import {
  algoEnds,
  algoKinds,
  cancelReasons,
  causes,
  feedHealths,
  fillKinds,
  modes,
  orderTypeNames,
  origins,
  roles,
  sides,
  tifs,
  triggerBys,
  unbindings,
} from '../../words/order-words.ts'
import { rejections } from '../commands/rejections.ts'

export const rejectionNames = Object.keys(rejections) as (keyof typeof rejections)[]

const kinds = {
  side: sides,
  tif: tifs,
  mode: modes,
  triggerBy: triggerBys,
  feedHealth: feedHealths,
  origin: origins,
  orderType: orderTypeNames,
  cause: causes,
  fillKind: fillKinds,
  role: roles,
  cancelReason: cancelReasons,
  algoKind: algoKinds,
  algoEnd: algoEnds,
  unbinding: unbindings,
  rejection: rejectionNames,
} as const

/** The word lists of the fields that hold a word. A row stores the index. */
export const words: Readonly<Record<string, readonly string[]>> = kinds

export type FieldTypes = { [W in keyof typeof kinds]: (typeof kinds)[W][number] } & {
  int: number
  flag: boolean
  text: string | null
}
export type FieldKind = keyof FieldTypes
