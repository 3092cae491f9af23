// A client that pings and never reads, and comes again whenever it is sent away.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { until } from '../support/http/held-sockets.ts'
import type { LiveExchange } from '../support/streams/live-exchange.ts'
import { frameOf, opcodes, RawSocket } from '../support/streams/raw-socket.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function bytesInUse(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Sends so many bytes of pings; gives what the process holds more than before, at most. */
export async function pingSoak(exchange: LiveExchange, bytes: number) {
  const frames = Buffer.concat(new Array(500).fill(frameOf(opcodes.ping, 'x'.repeat(125))))
  const small = Buffer.concat(new Array(10_000).fill(frameOf(opcodes.ping)))
  const before = bytesInUse()
  let sentBytes = 0
  let grownBytes = 0
  let connections = 0
  const asked: RawSocket[] = []
  while (sentBytes < bytes) {
    const raw = await RawSocket.open(exchange.running.port)
    connections += 1
    asked.push(raw)
    // As much as it takes at once, and then a little at a time, as one who hides would.
    sentBytes += await raw.flood(connections % 2 === 0 ? frames : small, () => false)
    grownBytes = Math.max(grownBytes, bytesInUse() - before)
  }
  await until(() => asked.every(({ closed }) => closed))
  return { sentBytes, grownBytes, connections }
}
