// A market maker for a day against the sandbox's bots, in process:
//   node examples/market-maker.mjs [seed]
// It quotes both sides around the index price once a minute and leans against what it holds.
// Around the mark it would lose a quarter of a percent a day: the mark follows quotes that have
// stood a while, the bots follow the index, and they take what it has left behind. At half of this
// spread it would lose, too. The same seed gives the same day, to the last micro-dollar.

import { createExchange, eventsOf, fillsOf } from 'openperp/embed'

const seed = process.argv[2] ?? 'examples'
const exchange = createExchange({ markets: ['HYPE'], seed, bots: true })
const maker = exchange.trader('maker')
const hype = exchange.market('HYPE')

const spread = 0.0008
const size = 50
const positionMost = 150

/** Signed HYPE. */
function held() {
  const [position] = maker.positions()
  if (position === undefined) return 0
  return Number(position.amount) * (position.side === 'bid' ? 1 : -1)
}

function quote() {
  const lean = -held() / positionMost
  // The engine counts in ticks, here thousandths of a dollar, and the index in millionths of them.
  const middle = (hype.oracle / 1_000_000_000) * (1 + spread * lean)
  for (const side of ['bid', 'ask']) {
    const sign = side === 'bid' ? -1 : 1
    if (held() * -sign >= positionMost) continue
    const price = String(Math.round(middle * (1 + sign * spread) * 1_000) / 1_000)
    // TOB steps aside instead of taking.
    maker.place({ symbol: 'HYPE', side, price, amount: String(size), tif: 'TOB' })
  }
}

let fills = 0
exchange.onBatch(({ outcomes }) => {
  for (const { account } of outcomes.flatMap(eventsOf).flatMap(fillsOf))
    if (account === maker.id) fills += 1
})

console.log('hour   mark     position  fills  equity')
for (let hour = 1; hour <= 24; hour++) {
  for (let minute = 0; minute < 60; minute++) {
    // The bots trade on the minute. Old quotes are bad quotes: these are three seconds old then.
    exchange.advance('57s')
    maker.cancelAll()
    quote()
    exchange.advance('3s')
  }
  const { account_equity } = maker.account()
  const cells = [String(hour).padStart(4), hype.mark, String(held()).padStart(8), fills]
  if (hour % 4 === 0) console.log(cells.join('   '), '  ', account_equity)
}
