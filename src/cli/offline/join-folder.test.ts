// A node may exit while it sends its folder: the joining node continues with the next.

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { encodeMessage, FILE } from '../../sequencer/link/messages.ts'
import { LinkServer, linkKeysOf } from '../../sequencer/link/node-link.ts'
import { joinFrom } from './join-folder.ts'

const secret = 'k'.repeat(40)

test('a node that stops sending is not waited for', { timeout: 120_000 }, async () => {
  const root = mkdtempSync(join(tmpdir(), 'openperp-join-'))
  const server = await LinkServer.listen({
    host: '127.0.0.1',
    port: 0,
    keys: linkKeysOf(secret, ''),
    onNode(stream) {
      stream.write(encodeMessage(FILE, Buffer.from(JSON.stringify({ name: 'genesis.json' }))))
    },
    onStranger: () => undefined,
  })
  try {
    const nodes = [{ name: 'stuck', link: server.address }]
    const folder = join(root, 'joined')
    const joining = joinFrom(nodes, { node: 'new', secret }, folder, 100)
    await assert.rejects(joining, /no node gave a copy: stuck at .*: nothing more came for 100 ms/)
    assert.equal(existsSync(folder), false)
    assert.deepEqual(readdirSync(root), [])
  } finally {
    server.close()
    rmSync(root, { recursive: true, force: true })
  }
})
