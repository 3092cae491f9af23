// `openperp admin <what>`: what the admin plane tells.

import { command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { adminOptions, askAdmin } from './admin-plane.ts'
import { type PricesReply, pricesLines } from './prices.ts'

export const admin = command({
  name: 'admin',
  group: 'exchange',
  summary: 'Show how the price sources of a venue stand (prices)',
  about:
    'Asks the admin plane, with a token of the scope read. `admin prices` shows each source of ' +
    'prices, since when it has been silent, what it said and what was not understood, and for ' +
    'each market what every source says and what that makes.',
  arguments: [{ name: 'prices', about: 'what to show', required: true }],
  options: adminOptions,
  examples: ['openperp admin prices', 'openperp admin prices --json'],
  async run(call) {
    const [what] = call.words
    if (what !== 'prices') throw misused(`admin has no ${what}`, 'admin prices')
    const reply = await askAdmin<PricesReply>(call, '/prices')
    return { json: reply, lines: pricesLines(reply) }
  },
})
