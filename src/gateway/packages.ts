// Packages that consist of many files. The build bundles them into this file, because loading them
// file by file took a quarter of a start. Types come from the packages.

export { default as fastify, LogController } from 'fastify'
export {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client'
export { WebSocket, WebSocketServer } from 'ws'
