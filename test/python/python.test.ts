// The Python package against a running exchange, where Python is installed. Its tests are in
// python/tests and use the standard library only.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { frozenSandbox, type Live } from '../support/http/live-exchange.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../../python', import.meta.url))
const python = ['python3', 'python'].find((command) => hasPython(command))
const isRequired = process.env.OPENPERP_REQUIRE_PYTHON === '1'

function hasPython(command: string): boolean {
  const check = 'import sys; sys.exit(sys.version_info < (3, 9))'
  return spawnSync(command, ['-c', check]).status === 0
}

let live: Live | null = null
after(() => live?.close())

test('the tests of the Python package pass', async (t) => {
  if (python === undefined) {
    const missing = 'Python 3.9 or newer is not installed: the Python package is not tested'
    if (isRequired) assert.fail(missing)
    return t.skip(missing)
  }
  live = await frozenSandbox()
  await live.price('BTC', '100000')
  const env = { ...process.env, OPENPERP_URL: live.url, PYTHONDONTWRITEBYTECODE: '1' }
  const options = { cwd: folder, env, timeout: 300_000 }
  const failed = (error: { stderr: string }) => assert.fail(error.stderr)
  const { stderr } = await run(python, ['-m', 'unittest', '-q'], options).catch(failed)
  assert.match(stderr, /\nRan [1-9][0-9]* tests? in [\d.]+s\n\nOK/)
})
