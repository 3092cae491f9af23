import { type SourceExchange, submitChecked } from './exchange-port.ts'
import { pastCommands } from './past.ts'
import { pastIn, pastNote } from './sandbox-notes.ts'

/** Tells charts the past that a note says they are owed, if any. */
export async function tellPast(
  exchange: SourceExchange,
  seed: string,
  stopped: () => boolean,
): Promise<void> {
  const past = pastIn(exchange.view.notes)
  if (past === null) return
  for (const command of pastCommands(exchange.view, past, seed)) {
    // Whoever waits for an answer comes first.
    await new Promise((next) => setImmediate(next))
    if (stopped()) return
    await submitChecked(exchange, command)
  }
  await submitChecked(exchange, pastNote(null))
}
