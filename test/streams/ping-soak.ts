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

/** Sends this many bytes of pings; returns the largest growth of the memory of the process. */
export async function pingSoak(exchange: LiveExchange, bytes: number) {
  const frames = Buffer.concat(new Array(500).fill(frameOf(opcodes.ping, 'x'.repeat(125))))
  const small = Buffer.concat(new Array(10_000).fill(frameOf(opcodes.ping)))
  const before = bytesInUse()
  let sentBytes = 0
  let grownBytes = 0
  let connections = 0
  const opened: RawSocket[] = []
  while (sentBytes < bytes) {
    const raw = await RawSocket.open(exchange.running.port)
    connections += 1
    opened.push(raw)
    // As much as it accepts immediately, and then a little at a time, as an inconspicuous client
    // would.
    sentBytes += await raw.flood(connections % 2 === 0 ? frames : small, () => false)
    grownBytes = Math.max(grownBytes, bytesInUse() - before)
  }
  await until(() => opened.every(({ closed }) => closed))
  return { sentBytes, grownBytes, connections }
}
