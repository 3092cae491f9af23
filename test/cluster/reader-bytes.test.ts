// Replies and frames of a read replica at an entry are those of the leader, byte for byte; here for
// some hundred of them (`npm run x torture/readers`: ten thousand).

import assert from 'node:assert/strict'
import { readNames } from '../programs/readers/read-requests.ts'
import { compareNodes } from '../programs/readers/same-bytes.ts'
import { sharedDatabases, sharedFolder, test } from '../support/postgres/database-tests.ts'
import { ExchangeNode } from '../support/running/exchange-node.ts'
import { asReader, tradesFor } from '../support/running/link-flags.ts'

const databases = sharedDatabases()
const root = sharedFolder('reader-bytes')

test('a reader returns the same bytes as the leader', async () => {
  const url = await databases.empty()
  const [leader, reader] = [new ExchangeNode('leads', root), new ExchangeNode('reads', root)]
  leader.start(url, undefined, tradesFor('reads'))
  const { port: leaderPort } = await leader.process.ready
  reader.start(url, undefined, asReader)
  const { port: readerPort } = await reader.process.ready
  const ports = { leader: leaderPort, reader: readerPort }
  const { wrong, replies, frames } = await compareNodes({ ...ports, samples: 300, seed: 7 })
  assert.deepEqual(wrong, [])
  const missing = readNames.filter((name) => replies[name] === undefined)
  assert.deepEqual(missing, [], 'every read was compared')
  assert.ok(Object.keys(frames).length >= 20, Object.keys(frames).join())
  for (const node of [leader, reader]) node.process.kill('SIGKILL')
})
