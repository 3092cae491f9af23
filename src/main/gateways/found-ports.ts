// Finds free ports for gateways if no ports are configured. The system assigns ports in sequence,
// so another process is unlikely to get the same port before a gateway listens on it.

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Config } from '../../config.ts'

type Ports = Pick<Config, 'port' | 'compatPort'>

export async function foundPorts({ host, port, compatPort }: Config): Promise<Ports> {
  return {
    port: port === 0 ? await freePort(host) : port,
    compatPort: compatPort === 0 ? await freePort(host) : compatPort,
  }
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen({ host, port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
