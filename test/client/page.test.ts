// The programs on the client's page run as printed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client, sandboxKeys } from '../../src/client/index.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('docs/api/client.md', root), 'utf8')
const programs = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, program]) => program!)

/** The expected output of each, in order. */
const printed = [
  [/^order \d+$/m, /^BTC bid 0\.01 at 100000$/m, /^422 [A-Z_]+: .*5000000/m],
  [/^signing \d+ bytes: \{"data":\{"agent_wallet"/m, /^order \d+ came and went$/m],
  [/^connection: open$/m, /^best none \/ 100000$/m, /^filled 0\.01 BTC at 100000, fee \S+$/m],
  [/^order \d+ is open$/m, /^order \d+ is closed$/m],
]

async function runProgram(program: string, url: string): Promise<string> {
  const options = {
    cwd: fileURLToPath(root),
    env: { ...process.env, OPENPERP_URL: url },
    timeout: 180_000,
  }
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  return stdout
}

test('every program on the page prints what the page says', async () => {
  const live = await frozenSandbox()
  try {
    const url = live.url
    for (const { key } of sandboxKeys)
      await new Client({ url, signer: key }).sandboxFaucet({ amount: '100000' })
    await live.price('BTC', '100000')
    await live.price('ETH', '3000')
    const [, bob] = sandboxKeys
    await live.order(bob!.key, { symbol: 'BTC', side: 'ask', price: '100000', amount: '1' })
    assert.equal(programs.length, printed.length)
    for (const [at, program] of programs.entries()) {
      const text = await runProgram(program, url)
      for (const expected of printed[at]!) assert.match(text, expected)
    }
  } finally {
    await live.close()
  }
})
