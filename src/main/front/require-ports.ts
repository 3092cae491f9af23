// Checks the ports before a new data folder is created, so that a start that fails because of a
// port leaves no folder behind. An existing folder is opened first, because the process that holds
// its lock may also hold the ports.

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { type Config, isChosen } from '../../config.ts'
import { genesisFile } from '../../sequencer/data-folder.ts'

/** Throws the error of listening if a port is not free. */
export async function requirePortsOfNewFolder(config: Config): Promise<void> {
  if (existsSync(genesisFile(config.data))) return
  const { host, port, adminHost, adminPort, compatPort } = config
  await requirePort(host, port)
  await requirePort(adminHost, adminPort)
  if (compatPort !== 'off' && isChosen(config, 'compatPort')) await requirePort(host, compatPort)
}

async function requirePort(host: string, port: number): Promise<void> {
  if (port === 0) return
  const server = createServer().listen({ host, port, exclusive: true })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
