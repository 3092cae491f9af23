// What differs between two embedded exchanges.

import { diffHistories } from '../lab/diff/diff.ts'
import type { Difference } from '../lab/diff/difference.ts'
import type { EmbeddedExchange } from './exchange.ts'

/** Compares two exchanges: the first entry that differs, and where they are now. */
export function diff(a: EmbeddedExchange, b: EmbeddedExchange): Promise<Difference> {
  return diffHistories(a.asHistory('a'), b.asHistory('b'))
}
