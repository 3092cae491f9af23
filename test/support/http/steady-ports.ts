// Ports for servers that are restarted under the same number, or whose number has to be known
// before they run. A port that the system assigns for port 0 may be reused a moment later by any of
// the processes that run side by side; these numbers are below all that it assigns.

import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const lowest = 10_000
const highest = 30_000
const attempts = 100

/** This many free ports in a row. */
export async function steadyPorts(count: number): Promise<readonly number[]> {
  for (let left = attempts; left > 0; left--) {
    const first = randomInt(lowest, highest)
    const ports = Array.from({ length: count }, (_, n) => first + n)
    const free = await Promise.all(ports.map(isFree))
    if (free.every(Boolean)) return ports
  }
  throw new Error(`${count} free ports in a row were not found in ${attempts} attempts`)
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
