import { accountRows } from './accounts.ts'
import { algoAndTextRows } from './algos.ts'
import { bookRows } from './book.ts'
import { dueRows } from './due.ts'
import { outerRows } from './engine.ts'
import { liquidationRows } from './liquidation.ts'
import { marketRows } from './markets.ts'
import { matchingRows } from './matching.ts'
import { orderRows } from './orders.ts'
import { touchedRows } from './touched.ts'
import { wakingRows } from './triggers.ts'
import type { Rows } from './world.ts'

export const allRows: Rows = {
  ...bookRows,
  ...orderRows,
  ...matchingRows,
  ...accountRows,
  ...liquidationRows,
  ...marketRows,
  ...dueRows,
  ...wakingRows,
  ...algoAndTextRows,
  ...outerRows,
  ...touchedRows,
}
