// A failed start leaves nothing behind: in the same process the next one finds the folder free.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
  // Anything that a start left open would keep this process running.
  setTimeout(() => process.exit(1), 20_000).unref()
})

const ports = ['--port', '0', '--admin-port', '0', '--compat-port', 'off']
const quiet = ['--bots', 'off', '--past-minutes', '0', '--data', data]

const settings = (...flags: readonly string[]) =>
  readConfig([...ports, ...quiet, ...flags], {}, root)

function start(...flags: readonly string[]) {
  const config = settings(...flags)
  const onFatal = (error: unknown) => {
    throw error
  }
  return runExchange({ config, tokens: [], log: pino({ level: 'silent' }), onFatal })
}

async function starts(): Promise<void> {
  await (await start()).close()
}

test('a port that is in use, whichever it is', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  for (const flag of ['--port', '--admin-port', '--compat-port']) {
    await assert.rejects(start(flag, String(port)), { code: 'EADDRINUSE' })
    await starts()
  }
  taken.close()
})

test('a start that is rejected for a port leaves no new data folder behind', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const fresh = join(root, 'fresh')
  for (const flag of ['--port', '--admin-port', '--compat-port']) {
    await assert.rejects(start('--data', fresh, flag, String(port)), { code: 'EADDRINUSE', port })
    assert.equal(existsSync(fresh), false, flag)
  }
  taken.close()
})

test('a port in use is reported with the setting that chose it', async () => {
  const { linkPort } = settings()
  const inUse = (port: number) => Object.assign(new Error(), { code: 'EADDRINUSE', port })
  const cluster = ['--cluster', 'postgres://u:p@h/d', '--link-port', '9001']
  const chosen = settings(...cluster, '--port', '9002', '--admin-port', '9003')
  const withCompat = settings('--port', '9002', '--compat-port', '9004')
  for (const [config, port, says] of [
    [chosen, 9001, 'OPENPERP_LINK_PORT (--link-port) chooses another'],
    [chosen, 9002, 'OPENPERP_PORT (--port) chooses another'],
    [chosen, 9003, 'OPENPERP_ADMIN_PORT (--admin-port) chooses another'],
    [withCompat, 9004, 'OPENPERP_COMPAT_PORT (--compat-port) chooses another'],
    // No link listens without a cluster.
    [
      settings(),
      linkPort,
      'OPENPERP_PORT, OPENPERP_ADMIN_PORT and OPENPERP_COMPAT_PORT choose others',
    ],
  ] as const)
    assert.equal(whyNotStarted(inUse(port), config), `port ${port} is in use; ${says}`)
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const key = ['--cluster-key', 'k'.repeat(32), '--link-port', String(port)]
  const flags = ['--cluster', 'postgres://u:p@127.0.0.1:1/d', ...key]
  const failed = await start(...flags).catch((error: NodeJS.ErrnoException) => error)
  assert.match(
    whyNotStarted(failed as NodeJS.ErrnoException, settings(...flags)),
    /is in use; OPENPERP_LINK_PORT \(--link-port\) chooses another$/,
  )
  taken.close()
})

test('an unreadable setting', async () => {
  await assert.rejects(start('--trusted-proxies', 'somewhere'), /'somewhere' is neither/)
  await starts()
})

test('a system error is reported with the setting that helps', async () => {
  const inFile = join(root, 'file', 'data')
  writeFileSync(join(root, 'file'), '')
  const failed = await start('--data', inFile).catch((error: NodeJS.ErrnoException) => error)
  assert.match(
    whyNotStarted(failed as NodeJS.ErrnoException, settings('--data', inFile)),
    /is not a folder; OPENPERP_DATA/,
  )
  const nowhere = await start('--data', '/proc/x/y').catch((error: NodeJS.ErrnoException) => error)
  assert.match(
    whyNotStarted(nowhere as NodeJS.ErrnoException, settings('--data', '/proc/x/y')),
    /^\/proc\/x (cannot be made there|may not be read or written by this user); OPENPERP_DATA/,
  )
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
  })
  assert.match(
    whyNotStarted(full, settings('--data', '/d')),
    /^no space is left on the disk of \/d; make room/,
  )
  assert.equal(whyNotStarted(new Error('something else'), settings()), 'something else')
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
