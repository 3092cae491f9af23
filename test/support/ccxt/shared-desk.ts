// The one exchange that the parts of the ccxt suite share: loaded by the first of them, closed when
// the last test is over.

import { after } from 'node:test'
import { CcxtDesk } from './ccxt-desk.ts'

export const desk = await CcxtDesk.start()
after(() => desk.close())
