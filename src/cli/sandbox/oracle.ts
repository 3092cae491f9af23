// `openperp oracle` and `openperp scenario`: prices of the sandbox.

import { scenarioNames } from '../../protocol/words.ts'
import { clientOf, replyTo, serverOptions } from '../connection.ts'
import { command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { oneOf } from '../trading/order-words.ts'

export const oracle = command({
  name: 'oracle',
  group: 'sandbox',
  summary: 'Set the index price of a market, or resume its simulation',
  about: 'A price that is set stays until it is set again or resumed.',
  arguments: [
    { name: 'set|resume', about: 'what to do', required: true },
    { name: 'symbol', about: 'market', required: true },
    { name: 'price', about: 'with set; comma-separated prices are played one per tick' },
  ],
  options: serverOptions,
  examples: [
    'openperp oracle set BTC 100000',
    'openperp oracle set BTC 100000,95000,90000',
    'openperp oracle resume BTC',
  ],
  async run(call) {
    const [action, symbol, price] = call.words as [string, string, string | undefined]
    const client = clientOf(call)
    if (action !== 'set' && action !== 'resume')
      throw misused(`oracle has no ${action}`, 'set <symbol> <price>, or resume <symbol>')
    if ((action === 'set') !== (price !== undefined))
      throw misused(`oracle ${action} ${action === 'set' ? 'needs a' : 'takes no'} price`)
    const path = price?.split(',') ?? []
    const fields =
      action === 'resume'
        ? ({ symbol, resume: true } as const)
        : path.length > 1
          ? { symbol, path }
          : { symbol, price: path[0]! }
    const reply = await replyTo(call, client.sandboxSetOracle(fields))
    return { json: reply, lines: [`${reply.symbol} index price ${reply.oracle}`] }
  },
})

export const scenario = command({
  name: 'scenario',
  group: 'sandbox',
  summary: `Play a price path: ${scenarioNames.join(', ')}`,
  arguments: [
    { name: 'name', about: scenarioNames.join(', '), required: true },
    { name: 'symbol', about: 'market', required: true },
  ],
  options: serverOptions,
  examples: ['openperp scenario crash BTC'],
  async run(call) {
    const [word, symbol] = call.words as [string, string]
    const name = oneOf('scenario', word, ...scenarioNames)
    const reply = await replyTo(call, clientOf(call).sandboxScenario({ name, symbol }))
    return { json: reply, lines: [`${reply.name} begins on ${reply.symbol}`] }
  },
})
