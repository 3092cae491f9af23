// The table of channels and their declarations are consistent.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChannelName, declared } from '../../protocol/streams/channels.ts'
import type { Channel } from './channel.ts'
import { channels } from './channels.ts'

test('every channel is served as declared under its own name', () => {
  for (const [name, { sources, of, sends }] of Object.entries(declared)) {
    const served = channels[name as keyof typeof channels]
    assert.deepEqual(
      { sources: served.sources, of: served.of, sends: served.sends },
      { sources, of, sends },
      name,
    )
  }
  assert.deepEqual(Object.keys(channels).sort(), Object.keys(declared).sort())
})

test('a table without one of the channels does not compile', () => {
  const { bbo, ...others } = channels
  // @ts-expect-error bbo is missing
  const table = others satisfies Record<ChannelName, Channel>
  assert.deepEqual({ ...table, bbo }, channels)
})

test('no spelling belongs to two channels', () => {
  const sources = Object.values(declared).flatMap((each): readonly string[] => each.sources)
  assert.deepEqual([...new Set(sources)].sort(), [...sources].sort())
})
