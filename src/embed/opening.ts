// The first commands of an embedded exchange.

import type { Command } from '../core/index.ts'
import { ownEventsOf } from '../sequencer/outcome.ts'
import { openingDeposits } from '../sources/bots/bot-accounts.ts'
import { openingCommands } from '../sources/sandbox-markets.ts'
import type { DirectSequencer } from './direct-sequencer.ts'
import type { Chosen } from './options/options.ts'

export function openMarkets(sequencer: DirectSequencer, chosen: Chosen): void {
  const commands: readonly Command[] = [
    { type: 'SetClockFrozen', frozen: !chosen.speedBump },
    ...openingCommands(chosen.listings),
    ...(chosen.bots ? openingDeposits() : []),
  ]
  for (const command of commands) {
    const refused = ownEventsOf(sequencer.apply(command)).find(
      (event) => event.type === 'CommandRejected',
    )
    if (refused !== undefined) throw new RangeError(refusedText(command, refused.rejection))
  }
}

function refusedText(command: Command, rejection: string): string {
  if (command.type !== 'ListMarket') return `${command.type} was refused: ${rejection}`
  return (
    `market ${command.params.symbol} cannot be listed (${rejection}): tickSize × lotSize must be ` +
    'a whole number of micro-dollars, the price 1,000 to 1,000,000,000 ticks, the leverage 1 to ' +
    '100, and every bound of params in order'
  )
}
