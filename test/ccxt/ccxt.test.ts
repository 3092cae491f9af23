// ccxt's pacifica class, as published on npm, used from start to end on a new exchange. Each file
// is a part; they share the exchange and run in this order. The last one fails if a method of the
// class was left out.

import './trading.ts'
import './market-data.ts'
import './account.ts'
import './errors.ts'
import './streams.ts'
import './reconnect.ts'
import './coverage.ts'
