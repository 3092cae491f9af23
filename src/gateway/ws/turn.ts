// Submits the requests of a connection to the exchange in the order in which they were sent,
// however long each signature check takes.

import type { Turn } from '../door.ts'

/** Takes a place behind the requests that came before on this connection. */
export function turnOf(connection: { turn: Promise<unknown> }, alone: boolean): Turn {
  const before = connection.turn
  let handedOver = () => {}
  const mine = new Promise<void>((resolve) => {
    handedOver = resolve
  })
  // Not what `Promise.all` gives: that holds what the one before gave, and so on back to the first
  // request of a connection that may live for a day.
  connection.turn = mine.then(() => before)
  return { before, handedOver, alone }
}
