// `openperp leverage`: the leverage of a market, and its margin mode.

import { accountOf, readingClient, replyTo, signerOptions, signingClient } from '../connection.ts'
import { command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { tableOf } from '../frame/screen.ts'

export const leverage = command({
  name: 'leverage',
  group: 'trading',
  summary: 'Show or set leverage and margin mode by market',
  about:
    'Leverage may rise with an open position, not fall; the mode is fixed while anything is open.',
  arguments: [
    { name: 'symbol', about: 'market (default: show the settings)' },
    { name: 'leverage', about: 'from 1 to the maximum of the market' },
  ],
  options: {
    ...signerOptions,
    isolated: { about: 'isolated: positions in this market have their own margin' },
    cross: { about: 'cross: positions in this market share the balance' },
  },
  examples: ['openperp leverage', 'openperp leverage BTC 20', 'openperp leverage ETH --isolated'],
  async run(call) {
    const { values, words } = call
    const [symbol, text] = words
    if (symbol !== undefined) {
      if (values.isolated === true && values.cross === true)
        throw misused('--isolated and --cross exclude each other')
      const mode = values.isolated === true || values.cross === true
      if (text === undefined && !mode)
        throw misused('say the leverage, --isolated or --cross', 'openperp leverage BTC 20')
      const client = signingClient(call)
      if (mode) {
        const is_isolated = values.isolated === true
        await replyTo(call, client.updateMarginMode({ symbol, is_isolated }))
      }
      if (text !== undefined)
        await replyTo(call, client.updateLeverage({ symbol, leverage: wholeOf(text) }))
    }
    const account = accountOf(call)
    const rows = await replyTo(call, readingClient(call).getAccountSettings({ account }))
    const cells = rows.map((row) => [
      row.symbol,
      `${row.leverage}`,
      row.isolated ? 'isolated' : 'cross',
    ])
    const none = 'every market has its default: its maximum leverage, cross'
    const lines = rows.length === 0 ? [none] : tableOf(['market', 'leverage', 'mode'], cells)
    return { json: rows, lines }
  },
})

function wholeOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number.parseInt(text, 10)
  throw misused(`${text} is not a leverage`, 'a whole number from 1 on')
}
