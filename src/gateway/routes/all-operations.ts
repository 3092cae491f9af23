// All operations of the public API, and the differences of its second mount.

import type { Operation } from '../operation.ts'
import { sandboxOperations } from '../operations/sandbox/sandbox-operations.ts'
import { absentLists } from './absent.ts'
import { forExistingClients } from './compat-operations.ts'
import { readOperations } from './reads.ts'
import { tradingOperations } from './trading-operations.ts'

export function apiOperations(mode: 'sandbox' | 'venue'): readonly Operation[] {
  const all = [...readOperations, ...tradingOperations, ...absentLists, ...sandboxOperations]
  return all.filter(({ only }) => only === null || only === mode)
}

/** The routes for existing clients. Every reply is enveloped, and every rejection has the code of
 *  its rule. */
export function ccxtOperations(mode: 'sandbox' | 'venue'): readonly Operation[] {
  return apiOperations(mode).map(forExistingClients)
}
