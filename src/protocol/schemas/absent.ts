// Replies for features that the public API has and this exchange lacks: spot assets, loans and
// vaults.

import { address, optional } from './field-types.ts'
import { cursor, listLimit, offset } from './lists.ts'
import { Type } from './typebox.ts'

const account = optional(address('Account address; not looked at'))

export const absentQuery = Type.Object({ account })
export const absentPageQuery = Type.Object({ account, limit: listLimit, cursor, offset })

export const absentRow = Type.Object({}, { description: 'Always empty' })
export const absentList = Type.Array(absentRow, { maxItems: 0 })
export const absentVaults = Type.Object({ lakes: absentList })
