// Submits the requests of a connection to the exchange in the order in which they were sent,
// however long each signature check takes.

import type { Turn } from '../intake/door.ts'

/** Takes the next place after earlier requests of this connection. */
export function turnOf(connection: { turn: Promise<unknown> }, alone: boolean): Turn {
  const before = connection.turn
  let handedOver = () => {}
  const mine = new Promise<void>((resolve) => {
    handedOver = resolve
  })
  // Not the result of `Promise.all`, which would keep the previous result, and so on back to the
  // first request of a connection that may last a day.
  connection.turn = mine.then(() => before)
  return { before, handedOver, alone }
}
