// ccxt's pacifica class, as it is on npm, through a life on an exchange that has just been started.
// Each part of that life is a file; they share the exchange and run in this order, and the last one
// says whether a method of the class was left out.

import './trading.ts'
import './market-data.ts'
import './account.ts'
import './errors.ts'
import './streams.ts'
import './reconnect.ts'
import './coverage.ts'
