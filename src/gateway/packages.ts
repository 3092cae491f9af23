// What we use of packages that come as many files. The build puts the packages themselves into this
// file: to load them file by file took a quarter of a start. Types are taken from the packages.

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
