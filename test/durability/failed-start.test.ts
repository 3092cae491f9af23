// A start that fails leaves nothing behind: in the same process the next one finds the folder free.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { whyNotStarted } from '../../src/main/process/failed-start.ts'
import { runExchange } from '../../src/main/running-exchange.ts'

const root = mkdtempSync(join(tmpdir(), 'openperp-failed-start-'))
const data = join(root, 'data')
after(() => {
  rmSync(root, { recursive: true, force: true })
  // What a start left open would keep this process alive.
  setTimeout(() => process.exit(1), 20_000).unref()
})

const ports = ['--port', '0', '--admin-port', '0', '--compat-port', 'off']
const quiet = ['--bots', 'off', '--past-minutes', '0', '--data', data]

function start(...flags: readonly string[]) {
  const config = readConfig([...ports, ...quiet, ...flags], {}, root)
  const onFatal = (error: unknown) => {
    throw error
  }
  return runExchange({ config, tokens: [], log: pino({ level: 'silent' }), onFatal })
}

async function starts(): Promise<void> {
  await (await start()).close()
}

test('a port that is taken, whichever it is', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  for (const flag of ['--port', '--admin-port', '--compat-port']) {
    await assert.rejects(start(flag, String(port)), { code: 'EADDRINUSE' })
    await starts()
  }
  taken.close()
})

test('a setting that cannot be read', async () => {
  await assert.rejects(start('--trusted-proxies', 'somewhere'), /'somewhere' is neither/)
  await starts()
})

test('what the system refuses is told with the setting that helps', async () => {
  const inFile = join(root, 'file', 'data')
  writeFileSync(join(root, 'file'), '')
  const failed = await start('--data', inFile).catch((error: NodeJS.ErrnoException) => error)
  assert.match(
    whyNotStarted(failed as NodeJS.ErrnoException, inFile),
    /is no folder; OPENPERP_DATA/,
  )
  const nowhere = await start('--data', '/proc/x/y').catch((error: NodeJS.ErrnoException) => error)
  assert.match(
    whyNotStarted(nowhere as NodeJS.ErrnoException, '/proc/x/y'),
    /^\/proc\/x (cannot be made there|may not be read or written by this user); OPENPERP_DATA/,
  )
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
  })
  assert.match(whyNotStarted(full, '/d'), /^no space is left on the disk of \/d; make room/)
  assert.equal(whyNotStarted(new Error('something else'), '/d'), 'something else')
  await starts()
})

test('a secret of another length', async () => {
  const file = join(data, 'api-key-secret')
  chmodSync(file, 0o600)
  writeFileSync(file, 'short')
  await assert.rejects(start(), /api-key-secret/)
  rmSync(file)
  await starts()
})
