import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateText } from '../number-text.ts'
import { endWords } from './end-words.ts'
import { sentence } from './sentence.ts'

/** What the exchange says, and what a trader reads of it. */
const cases: readonly (readonly [string, string])[] = [
  [
    'INVALID_STOP_TICK: stop price 104600 is reached already or on the wrong side of the price ' +
      '105113; a bid stop waits for a higher price, an ask stop for a lower one. To close ' +
      'immediately, use a market order; to close at a better price, use a take-profit: ' +
      'POST /api/v1/positions/tpsl',
    'Trigger price 104,600 is reached already or on the wrong side of the price 105,113; a buy ' +
      'stop waits for a higher price, a sell stop for a lower one. To close immediately, use ' +
      'a market order; to close at a better price, use a take-profit (TP / SL of the position)',
  ],
  [
    'INVALID_STOP_TICK: legs[0]: stop price 104700 is reached already: it fires at or above that ' +
      '(trigger_direction gte), and mark_price is 105400; a stop_price above 105400 is accepted, ' +
      'or trigger_direction lte',
    'The first of the pair: trigger price 104,700 is reached already: it fires at or above that, ' +
      'and the mark is 105,400; a trigger price above 105,400 is accepted, or one that fires at ' +
      'or below it',
  ],
  [
    'INVALID_TICK_SIZE: take_profit[0].stop_price 9.5 is not a multiple of 1',
    'Take profit 1: trigger price 9.5 is not a multiple of 1',
  ],
  ['stop_loss.stop_price 9.5 is not', 'Stop loss: trigger price 9.5 is not'],
  ['stop_order.stop_price 0 is outside 1 to 1050000', 'Trigger price 0 is outside 1 to 1,050,000'],
  ['legs[1].price 0 is outside', 'The second of the pair: price 0 is outside'],
  ['duration_in_seconds must be >= 1', 'Duration in seconds must be at least 1'],
  ['TWAP_DURATION: 30 seconds is outside 60 to 86400', '0.5 minutes is outside 1 to 1440'],
  [
    'agent_wallet must not have fewer than 1 characters, there are 0',
    'Address of the key is missing',
  ],
  [
    'BOOK_NOT_FOUND: no market has this symbol; GET /api/v1/info lists them all (book not found)',
    'No market has this symbol; the list of markets has them all',
  ],
  [
    'policy.expires_at 1794964802519 is in the past: engine time is 1794964802751. Use another.',
    `Time at which it ends ${dateText(1794964802519)} is in the past: the exchange's time is ` +
      `${dateText(1794964802751)}. Use another.`,
  ],
  [
    "AGENT_LIMIT: rule 3 of this agent's policy: the agent may only reduce: send reduce_only true",
    "The policy of this agent's key: the agent may only reduce: choose Reduce only",
  ],
  [
    'this agent may not do this: the policy of the agent does not allow it (see `allow` of POST ' +
      '/api/v1/agent/policy; maker protection is set by the account alone)',
    'This agent may not do this: the policy of the agent does not allow it',
  ],
  ['no open order 2793123 on BTC', 'No open order 2793123 on BTC'],
  [
    'no answer from http://localhost:18080/api_v1/x',
    'No answer from http://localhost:18080/api_v1/x',
  ],
  [
    'so with stp cancel_taker the new order is cancelled; or use stp cancel_maker, ' +
      'which cancels it',
    'So with the choice under Advanced the new order is cancelled; or choose an option under ' +
      'Advanced that cancels it',
  ],
  ['its newest price is 12500 ms old', 'Its newest price is 12.5 s old'],
]

test('a sentence of the exchange is shown in the words of the terminal', () => {
  for (const [said, read] of cases) assert.equal(sentence(said), read)
})

test('the reason for an end is shown in words, also a rule that refused it', () => {
  assert.equal(endWords('owner'), 'by you')
  assert.equal(endWords('ORDER_AMOUNT_TOO_HIGH'), 'refused: the order was too large')
  assert.equal(endWords('WOULD_TAKE'), 'refused: would take')
  assert.equal(endWords('unheard_of'), 'unheard of')
})
