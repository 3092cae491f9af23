// A client that tries to follow a node that does not lead is disconnected, whatever it does.

import { test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../../config.ts'
import { type Caller, dialNode, linkKeyOf } from '../../sequencer/link/node-link.ts'
import { LinkDoor } from './link-door.ts'

const secret = 'k'.repeat(40)
const caller: Caller = { node: 'eyes', wish: 'follow' }

test('a node that does not lead closes connections', { timeout: 120_000 }, async () => {
  const flags = [
    '--cluster',
    'postgres://none/x',
    '--reader-keys',
    `eyes:${secret}`,
    '--link-port',
    '0',
  ]
  const door = await LinkDoor.open(readConfig(flags, {}, '/'), pino({ level: 'silent' }))
  const stream = await dialNode(door.address, caller, linkKeyOf(secret))
  const talks = setInterval(() => stream.write('still here'), 10)
  try {
    stream.on('error', () => undefined)
    stream.allowHalfOpen = true
    stream.resume()
    await new Promise((closed) => stream.once('close', closed))
  } finally {
    clearInterval(talks)
    stream.destroy()
    door.close()
  }
})
