// Frames that a plan of faults withholds take no memory; those that wait are limited.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textFrame } from '../../protocol/streams/text-frame.ts'
import { Lab } from '../lab/lab.ts'
import { OpenConnections } from '../open-connections.ts'
import { LabConnection } from './lab-connection.ts'

const message = { channel: 'trades', li: 1, prev: null, data: ['x'.repeat(1_048_576)] }
const frame = textFrame(JSON.stringify(message))
const trades = { source: 'trades', topic: { id: { of: 'market' } } } as never

test('only frames that wait for their time count towards the limit of a connection', () => {
  const connections = new OpenConnections()
  const time = { isManual: true, engineNow: () => 0 }
  const lab = new Lab({ ...time, connections, addressOf: (name: string) => name } as never)
  let [written, closed] = [0, 0]
  const client = {
    ...{ isOpen: true, visitor: { ip: '127.0.0.1', key: null }, account: null },
    close: () => {
      closed += 1
    },
  }
  const connection = new LabConnection(lab, client as never)
  const push = () => {
    for (let count = 0; count < 17; count++)
      connection.push(frame, trades, () => {
        written += 1
      })
  }
  for (const fault of ['ws_gap', 'duplicate', 'silent'] as const) {
    lab.setFaults({ rules: [{ fault, channel: 'trades', ms: fault === 'silent' ? 0 : null }] })
    push()
  }
  assert.deepEqual([written, closed], [34, 0])
  lab.setFaults({ rules: [] })
  lab.setLatency({ lines: [{ market: { const_us: 1_000 } }] })
  push()
  assert.deepEqual([written, closed], [34, 2])
  lab.close()
  assert.equal(written, 51)
})
