// Routes for machines: health, readiness, metrics and the API documents.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { wsPath } from '../../protocol/routes.ts'
import type { StatusReply } from '../../protocol/schemas/status.ts'
import { apiError } from '../api-error.ts'
import { asyncApi } from '../documents/async-api.ts'
import { docPage, docPages } from '../documents/doc-pages.ts'
import { llmsFullText, llmsText } from '../documents/llms-text.ts'
import { openApi } from '../documents/open-api.ts'
import { referencePage } from '../documents/reference-page.ts'
import type { Mount } from '../operation.ts'
import { keptFor } from '../status/status.ts'
import { statusPage } from '../status/status-page.ts'
import { replyBody } from './envelope.ts'
import type { Readiness } from './readiness.ts'

/** `null` if requests may be routed to this process; otherwise the reason. */
export type Serving = () => string | null

/** Metrics in text format. */
export type MetricsPage = Pick<Registry, 'contentType' | 'metrics'>

export type ProbeOptions = Readonly<{
  ready: () => Readiness
  serving: Serving
  /** `null` if the metrics are not public. */
  metrics: MetricsPage | null
  mounts: readonly Mount[]
  version: string
  /** Accepted headers for an API key, in lower case. */
  keyHeaders: readonly string[]
  status: () => StatusReply
}>

/** These pages run no scripts and load nothing from other hosts. */
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

export function addProbes(server: FastifyInstance, options: ProbeOptions): void {
  const { ready, serving, metrics, mounts, version } = options
  const status = keptFor(options.status)
  const document = once(() => JSON.stringify(openApi(mounts, options)))
  const streams = once(() => JSON.stringify(asyncApi(mounts[0]!.operations, version)))
  const page = once(() => referencePage(mounts[0]!.operations))
  const llms = once(() => llmsText(mounts[0]!.operations))
  const llmsFull = once(() => llmsFullText(mounts[0]!.operations))
  server.get('/health', async () => ({ status: 'ok' }))
  server.get('/ready', async (_, reply) => {
    const { missing, markets } = ready()
    return { ...probed(reply, 'ready', missing), markets }
  })
  server.get('/serving', async (_, reply) => probed(reply, 'serving', serving()))
  server.get('/status', (request, reply) => sendStatus(request, reply, status()))
  if (metrics !== null) server.get('/metrics', (_, reply) => sendMetrics(reply, metrics))
  server.get('/openapi.json', (_, reply) => sendText(reply, 'application/json', document()))
  server.get('/asyncapi.json', (_, reply) => sendText(reply, 'application/json', streams()))
  server.get('/docs', (_, reply) => sendPage(reply, page()))
  server.get('/llms.txt', (_, reply) => sendText(reply, 'text/plain', llms()))
  server.get('/docs/llms-full.txt', (_, reply) => sendText(reply, 'text/plain', llmsFull()))
  addDocPages(server)
  server.get(wsPath, async () => {
    throw apiError('MALFORMED_REQUEST', `${wsPath} is a websocket: ask with upgrade: websocket`)
  })
}

/** The Markdown pages of docs/. */
function addDocPages(server: FastifyInstance): void {
  const pages = once(() => {
    const served = docPages()
    return new Map([...served].map((path) => [path, once(() => docPage(path, served))]))
  })
  server.get('/docs/*', ({ params }, reply) => {
    const { '*': path } = params as Readonly<{ '*': string }>
    const page = pages().get(path)
    if (page === undefined)
      throw apiError('NOT_FOUND', 'there is no page with this path; /llms.txt lists the pages')
    return sendText(reply, 'text/markdown', page())
  })
}

function probed(reply: FastifyReply, status: string, missing: string | null): object {
  if (missing === null) return { status }
  reply.code(503).header('retry-after', 1)
  return { status: `not_${status}`, reason: missing }
}

/** Computes a value at the first request, because many processes never need it. */
export function once<T>(make: () => T): () => T {
  let made: T | null = null
  return () => {
    made ??= make()
    return made
  }
}

export async function sendMetrics(reply: FastifyReply, metrics: MetricsPage): Promise<string> {
  reply.header('content-type', metrics.contentType)
  return metrics.metrics()
}

/** Sends a page to browsers, and JSON to other clients. */
function sendStatus(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  status: StatusReply,
): FastifyReply {
  reply.header('cache-control', 'public, max-age=1').header('vary', 'accept')
  if (headers.accept?.includes('text/html')) return sendPage(reply, statusPage(status))
  return sendText(reply, 'application/json', JSON.stringify(replyBody('envelope', status)))
}

export function sendText(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.header('content-type', `${type}; charset=utf-8`).send(text)
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  reply.header('content-security-policy', contentPolicy)
  reply.header('x-content-type-options', 'nosniff')
  return sendText(reply, 'text/html', page)
}
