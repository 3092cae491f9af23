// Ends armed connections of processes that have exited.

import type { AccountId, DisarmConnection, EndConnection } from '../../core/index.ts'
import { SequencerStopped, untilTaken } from '../../sequencer/not-taken.ts'
import type { Sequencer } from '../../sequencer/sequencer.ts'

type Which = (connection: string) => boolean

/** Fewer than the queue of the sequencer holds. */
const batchMax = 256

/** Ends connections, which cancels what they had armed (TRIG-9). */
export function endConnections(sequencer: Sequencer, which: Which = () => true): Promise<void> {
  return forEach(sequencer, 'EndConnection', which)
}

/** Disarms connections that had ended before and that only a revert brought back: nothing is
 *  cancelled. */
export function disarmConnections(sequencer: Sequencer, which: Which): Promise<void> {
  return forEach(sequencer, 'DisarmConnection', which)
}

/** Whatever a stopping process does not complete, the next one does at its start. */
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
