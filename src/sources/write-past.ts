import { type SourceExchange, submitChecked } from './exchange-port.ts'
import { pastCommands } from './past.ts'
import { pastIn, pastNote } from './sandbox-notes.ts'

/** Writes the missing simulated history that a note records, if any. */
export async function writePast(
  exchange: SourceExchange,
  seed: string,
  stopped: () => boolean,
): Promise<void> {
  const past = pastIn(exchange.view.notes)
  if (past === null) return
  for (const command of pastCommands(exchange.view, past, seed)) {
    // Requests that wait for an answer come first.
    await new Promise((next) => setImmediate(next))
    if (stopped()) return
    await submitChecked(exchange, command)
  }
  await submitChecked(exchange, pastNote(null))
}
