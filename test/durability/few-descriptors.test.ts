// Few descriptors and more idle sockets than that: files come first, and clients get in.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { HeldSocket, until } from '../support/http/held-sockets.ts'
import { adminToken, ChildExchange } from '../support/running/child-exchange.ts'

const descriptors = 256
const soon = () => AbortSignal.timeout(120_000)

test('idle sockets use up neither the descriptors for files nor every connection', async () => {
  const root = mkdtempSync(join(tmpdir(), 'openperp-descriptors-'))
  const child = new ChildExchange(join(root, 'data'), ['--bots', 'off'], descriptors)
  const { port, adminPort } = await child.ready
  const idle = await Promise.all(
    Array.from({ length: 2 * descriptors }, () => HeldSocket.open(port)),
  )
  const attack = setInterval(() => {
    for (const [at, each] of idle.entries())
      if (each.closed) void HeldSocket.open(port).then((next) => idle.splice(at, 1, next))
  }, 250)
  try {
    // A separate thread, with all its modules, reads the journal and the snapshot.
    const hashed = async () => {
      const headers = { authorization: `Bearer ${adminToken}` }
      return fetch(`http://127.0.0.1:${adminPort}/hash`, { headers, signal: soon() })
    }
    await until(async () => (await hashed().catch(() => null))?.status === 200)
    const saved = async () => {
      const url = `http://127.0.0.1:${port}/api/v1/sandbox/snapshot`
      const headers = { 'content-type': 'application/json' }
      return (await fetch(url, { method: 'POST', headers, body: '{}', signal: soon() })).status
    }
    await until(async () => (await saved().catch(() => 0)) === 200)
    await until(async () => {
      const url = `http://127.0.0.1:${port}/api/v1/info`
      const reply = await fetch(url, { signal: soon() }).catch(() => null)
      return reply?.status === 200
    })
  } finally {
    clearInterval(attack)
    for (const each of idle) each.close()
    child.kill('SIGTERM')
    await child.ended
    rmSync(root, { recursive: true, force: true })
  }
  assert.doesNotMatch(child.errors, /EMFILE/)
  assert.match(child.errors, /few descriptors/)
})
