import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../core/index.ts'
import { textMemoryText } from './agent-text.ts'

const { textsPerAgent, textsPerAccount, textsReserved, agentTextShares } = limits

test('a memory that is full says which text is accepted, and from when on', () => {
  const until = 1_716_200_030_000
  for (const max of [textsPerAgent, textsPerAccount]) {
    const text = textMemoryText(max, until)
    assert.match(text, /timestamp of 1716200040000 or later makes room/)
    assert.match(text, /Now 4096 cancels and revocations more are accepted/)
  }
  assert.doesNotMatch(textMemoryText(textsPerAgent + textsReserved, until), /cancels/)
  assert.match(textMemoryText(agentTextShares, 0), /texts of 40 agents .* also .* revoked/)
  assert.match(
    textMemoryText(64, 0),
    /64 texts without a timestamp .* with a timestamp is accepted/,
  )
})
