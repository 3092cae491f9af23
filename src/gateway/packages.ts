// Imports of packages that consist of many files. The build bundles them into this file, because
// loading the separate files took a quarter of the startup time. The types come from the packages.

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
