// Armed connections of processes that have exited: they must be ended here.

import type { AccountId, DisarmConnection, EndConnection } from '../../core/index.ts'
import { SequencerStopped, untilTaken } from '../../sequencer/not-taken.ts'
import type { Sequencer } from '../../sequencer/sequencer.ts'

type Which = (connection: string) => boolean

/** Fewer than the sequencer lets wait. */
const batchMax = 256

/** They ended: what they had armed is cancelled, as if it had been done then (TRIG-9). */
export function endConnections(sequencer: Sequencer, which: Which = () => true): Promise<void> {
  return forEach(sequencer, 'EndConnection', which)
}

/** They had ended before, and only a revert brought them back: nothing is cancelled. */
export function disarmConnections(sequencer: Sequencer, which: Which): Promise<void> {
  return forEach(sequencer, 'DisarmConnection', which)
}

/** What a process that stops does not get to, the next one does when it begins. */
async function forEach(...given: Parameters<typeof submitEach>): Promise<void> {
  try {
    await submitEach(...given)
  } catch (error) {
    if (!(error instanceof SequencerStopped)) throw error
  }
}

async function submitEach(
  sequencer: Sequencer,
  type: (DisarmConnection | EndConnection)['type'],
  which: Which,
): Promise<void> {
  const armed = sequencer.view.accounts.armedConnections()
  const over = armed.filter(({ connection }) => which(connection))
  for (let from = 0; from < over.length; from += batchMax) {
    const some = over.slice(from, from + batchMax)
    await Promise.all(
      some.map(({ account, connection }) =>
        untilTaken(() =>
          sequencer.submit({ type, account: account as AccountId, connection }, null, true),
        ),
      ),
    )
  }
}
