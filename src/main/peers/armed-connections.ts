// Ends the connections of processes that have exited and had orders armed on those connections.

import type { AccountId, DisarmConnection, EndConnection } from '../../core/index.ts'
import { SequencerStopped, untilTaken } from '../../sequencer/not-taken.ts'
import type { Sequencer } from '../../sequencer/sequencer.ts'

type Which = (connection: string) => boolean

/** Smaller than the queue of the sequencer. */
const batchMax = 256

/** Ends connections, which cancels the orders armed on them (TRIG-9). */
export function endConnections(sequencer: Sequencer, which: Which = () => true): Promise<void> {
  return forEach(sequencer, 'EndConnection', which)
}

/** Disarms connections that had ended before a revert restored them. No orders are cancelled. */
export function disarmConnections(sequencer: Sequencer, which: Which): Promise<void> {
  return forEach(sequencer, 'DisarmConnection', which)
}

/** Submits a command for each connection. If the process stops before, the next start submits the
 *  remaining ones. */
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
