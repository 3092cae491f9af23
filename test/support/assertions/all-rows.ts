import { accountRows } from './accounts.ts'
import { bookRows } from './book.ts'
import { outerRows } from './engine.ts'
import { matchingRows } from './matching.ts'
import { orderRows } from './orders.ts'
import type { Rows } from './world.ts'

export const allRows: Rows = {
  ...bookRows,
  ...orderRows,
  ...matchingRows,
  ...accountRows,
  ...outerRows,
}
