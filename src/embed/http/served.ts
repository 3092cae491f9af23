// The HTTP server and the websocket of an embedded exchange. They are loaded when a request is not
// plain or a socket is needed, because loading the libraries takes longer than creating an
// exchange.

import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { isLoopback } from '../../gateway/access/host-names.ts'
import { sandboxAccess } from '../../gateway/access/sandbox-access.ts'
import { version } from '../../gateway/documents/version.ts'
import type { AnswerOptions } from '../../gateway/http/answer.ts'
import { addProbes } from '../../gateway/http/probes.ts'
import { readinessOf, servingOf } from '../../gateway/http/readiness.ts'
import { createHttp } from '../../gateway/http/server.ts'
import { addTerminal } from '../../gateway/http/terminal.ts'
import { Intake } from '../../gateway/intake/intake.ts'
import { Registry } from '../../gateway/packages.ts'
import { statusOf } from '../../gateway/status/status.ts'
import { feedContextOf } from '../../gateway/ws/feed-context-of.ts'
import { WsServer } from '../../gateway/ws/ws-server.ts'
import { wsPath } from '../../protocol/routes.ts'
import type { DirectSequencer } from '../direct-sequencer.ts'
import type { LazyHistory } from '../history/lazy-history.ts'
import type { Listening } from './reached.ts'
import { mounts } from './routes.ts'

export type ServedParts = Readonly<{
  options: AnswerOptions
  sequencer: DirectSequencer
  history: LazyHistory
}>

const log = pino({ level: 'error' }, pino.destination(2))
/** Folder of the built terminal. */
const terminalFolder = fileURLToPath(new URL('../../../web', import.meta.url))
const closeMsMax = 1_000

export async function serverOf({ options }: ServedParts): Promise<FastifyInstance> {
  const { exchange } = options.door
  const server = createHttp({ ...options, log, mounts })
  const ready = () => readinessOf({ exchange, missing: null, requireMarkets: [] })
  const serving = () => servingOf(exchange.closed())
  const status = () => statusOf(exchange)
  // Metrics of the whole process are left to the embedding program.
  const { keyHeaders } = options
  const metrics = new Registry()
  addProbes(server, { ready, serving, metrics, mounts, version, keyHeaders, status })
  addTerminal(server, terminalFolder)
  await server.ready()
  return server
}

export async function listenOn(parts: ServedParts, port: number, host: string): Promise<Listening> {
  const { sequencer, history } = parts
  const token = isLoopback(host) ? '' : randomBytes(16).toString('base64url')
  const { allowedHosts } = parts.options.sandbox
  const sandbox = sandboxAccess(host, { allowedHosts, token })
  const options = { ...parts.options, sandbox }
  const { door } = options
  const server = await serverOf({ ...parts, options })
  const { operations } = mounts[0]
  const context = feedContextOf(door.exchange, history)
  const own = { log, operations, context, intake: new Intake(), owner: '' }
  const streams = new WsServer({ ...options, ...own })
  await streams.load()
  streams.attach(server.server)
  const unsubscribe = sequencer.onBatch((batch) => streams.feed(batch))
  const forget = door.exchange.connections?.add(streams)
  await server.listen({ host, port })
  const address = server.server.address()
  const open = typeof address === 'object' && address !== null ? address.port : port
  const at = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${at}:${open}`,
    wsUrl: `ws://${at}:${open}${wsPath}`,
    port: open,
    sandboxToken: token === '' ? null : token,
    async close() {
      await streams.close()
      unsubscribe()
      forget?.()
      const cut = setTimeout(() => server.server.closeAllConnections(), closeMsMax)
      await server.close()
      clearTimeout(cut)
    },
  }
}
