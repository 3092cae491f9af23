// `openperp bots`: starts and stops the bots of the sandbox.

import { clientOf, replyTo, serverOptions } from '../connection.ts'
import { command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'

export const bots = command({
  name: 'bots',
  group: 'sandbox',
  summary:
    'Show whether the bots trade; start them (on), or stop them and cancel their orders (off)',
  arguments: [{ name: 'on|off', about: 'new state (default: show it)' }],
  options: serverOptions,
  examples: ['openperp bots', 'openperp bots off', 'openperp bots on'],
  async run(call) {
    const [word] = call.words
    if (word !== undefined && word !== 'on' && word !== 'off')
      throw misused(`bots has no ${word}`, 'on or off')
    const client = clientOf(call)
    const reply = await replyTo(
      call,
      word === undefined ? client.sandboxGetBots() : client.sandboxBots({ running: word === 'on' }),
    )
    return { json: reply, lines: [reply.running ? 'the bots trade' : 'the bots stand still'] }
  },
})
