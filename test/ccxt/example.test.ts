// The bot of examples/, run as documented: against the real program with its own bots, on a running
// clock.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ChildExchange } from '../support/running/child-exchange.ts'

const bot = fileURLToPath(new URL('../../../examples/ccxt-bot.mjs', import.meta.url))

test('the ccxt bot quotes, ends flat and exits with 0', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-bot-'))
  const exchange = new ChildExchange(folder)
  const { port } = await exchange.ready
  const child = spawn(process.execPath, [bot, `http://127.0.0.1:${port}`, '4'])
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text
    })
  const [code] = await once(child, 'close')
  assert.equal(code, 0, output)
  const rounds = output.match(/^round \d: \d+ \| \d+, holding -?[\d.]+ BTC$/gm) ?? []
  assert.equal(rounds.length, 4, output)
  assert.match(output, /^flat again, with [\d.]+ of 10000 USDC$/m)
  exchange.kill('SIGTERM')
  await exchange.ended
  rmSync(folder, { recursive: true, force: true })
})
