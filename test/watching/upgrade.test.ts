// To another version and back, on one folder: what was journaled under each is there under the
// other. A version that reads another format leaves the folder as it is.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { openperpJson } from '../support/cli/run-openperp.ts'
import { adminToken, ChildExchange } from '../support/running/child-exchange.ts'
import { otherVersion } from '../support/running/other-version.ts'

const root = mkdtempSync(join(tmpdir(), 'openperp-upgrade-'))
after(() => rmSync(root, { recursive: true }))
const data = join(root, 'data')
const account = newKey().address
const next = otherVersion(join(root, 'next'), '99.0.0')

type Hash = Readonly<{ seq: number; state_hash: string }>

/** A venue of this version takes ten dollars and stops in order. */
async function visit(program?: string): Promise<Readonly<{ before: Hash; after: Hash }>> {
  const child = new ChildExchange(data, ['--mode', 'venue', '--gateways', '0'], null, program)
  const { adminPort } = await child.ready
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
    const text = body === undefined ? {} : { body: JSON.stringify({ reason: 'a test', ...body }) }
    const reply = await fetch(`http://127.0.0.1:${adminPort}${path}`, { method, headers, ...text })
    assert.equal(reply.status, 200, await reply.clone().text())
    return ((await reply.json()) as { data: T }).data
  }
  const before = await ask<Hash>('GET', '/hash')
  const reference = `at-${before.seq}`
  await ask('POST', '/deposits', { account, amount: '10', reference })
  const then = await ask<Hash>('GET', '/hash')
  child.kill('SIGTERM')
  assert.equal((await child.ended).code, 0, child.errors)
  return { before, after: then }
}

function bytesOf(folder: string): string {
  const hash = createHash('sha256')
  for (const name of (readdirSync(folder, { recursive: true }) as string[]).toSorted()) {
    const path = join(folder, name)
    if (name !== 'lock' && statSync(path).isFile()) hash.update(name).update(readFileSync(path))
  }
  return hash.digest('hex')
}

test('to the next version and back nothing is lost, and it can all be played again', async () => {
  await visit()
  const upgraded = await visit(next)
  const back = await visit()
  // A start is an entry of its own.
  assert.ok(back.before.seq > upgraded.after.seq)
  const { code, json } = await openperpJson<{ verdict: string; stateHash: string; seq: number }>([
    ...['audit', '--data', data],
  ])
  assert.deepEqual([code, json.verdict], [0, 'whole'])
  assert.ok(json.seq >= back.after.seq)
  const events = await openperpJson<{ manifest: { stateHash: string } }>([
    ...['backups', join(root, 'backups'), '--data', data],
  ])
  assert.equal(events.json.manifest.stateHash, json.stateHash)
})

test('a version of another data format refuses the folder and changes nothing', async () => {
  const program = otherVersion(join(root, 'later'), '100.0.0')
  const programs = join(root, 'later/dist/src/programs')
  const reads = /\bformat === \d+/
  const sources = readdirSync(programs)
    .map((name) => join(programs, name))
    .filter((path) => reads.test(readFileSync(path, 'utf8')))
  assert.equal(sources.length, 1)
  const text = readFileSync(sources[0]!, 'utf8')
  writeFileSync(sources[0]!, text.replace(reads, 'format === 1000'))
  const before = bytesOf(data)
  const child = new ChildExchange(data, ['--mode', 'venue'], null, program)
  await assert.rejects(child.ready, /written by another version of openperp .*left as it is/)
  assert.notEqual((await child.ended).code, 0)
  assert.equal(bytesOf(data), before)
  await visit()
})
