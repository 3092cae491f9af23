// `openperp fund`: test money from the sandbox's faucet.

import { accountOf, accountOptions, clientOf, replyTo } from '../connection.ts'
import { command } from '../frame/command.ts'

export const fund = command({
  name: 'fund',
  group: 'sandbox',
  summary: 'Credit test money to an account; a new account is opened',
  arguments: [{ name: 'amount', about: 'USD', required: true }],
  options: accountOptions,
  examples: ['openperp fund 10000', 'openperp fund 500 --account <address>'],
  async run(call) {
    const account = accountOf(call)
    const amount = call.words[0]!
    const { balance } = await replyTo(call, clientOf(call).sandboxFaucet({ account, amount }))
    return { json: { account, amount, balance }, lines: [`${account} has ${balance} USD`] }
  },
})
