// Submits the requests of a connection in the order in which they were sent, however long each
// signature check takes.

import type { Turn } from '../intake/door.ts'

/** Returns the turn after all earlier requests of this connection. */
export function turnOf(connection: { turn: Promise<unknown> }, alone: boolean): Turn {
  const before = connection.turn
  let handedOver = () => {}
  const mine = new Promise<void>((resolve) => {
    handedOver = resolve
  })
  // Does not use the result of `Promise.all`, which would keep all previous results in memory for
  // the lifetime of the connection.
  connection.turn = mine.then(() => before)
  return { before, handedOver, alone, of: connection }
}
