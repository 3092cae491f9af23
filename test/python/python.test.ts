// The Python package against a real fixture, where Python is installed. Its tests are in
// python/tests and use the standard library only; those of the pytest plugin run where pytest is.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const place = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const isRequired = process.env.OPENPERP_REQUIRE_PYTHON === '1'
const python = ['python3', 'python'].find((command) => {
  const check = 'import sys; sys.exit(sys.version_info < (3, 9))'
  return spawnSync(command, ['-c', check]).status === 0
})

test('the tests of the Python package pass', async (t) => {
  if (python === undefined) {
    const missing = 'Python 3.9 or newer is not installed: the Python package is not tested'
    if (isRequired) assert.fail(missing)
    return t.skip(missing)
  }
  const program = place('dist/src/main/openperp.js')
  const env = { ...process.env, OPENPERP_BIN: program, PYTHONDONTWRITEBYTECODE: '1' }
  const options = { cwd: place('python'), env, timeout: 600_000 }
  const failed = (error: { stderr: string }) => assert.fail(error.stderr)
  const { stderr } = await run(python, ['-m', 'unittest', '-q'], options).catch(failed)
  const ran = Number.parseInt(/\nRan (\d+) tests? in /.exec(stderr)?.[1] ?? '0', 10)
  assert.ok(ran >= 70, stderr)
  const skipped = /\(skipped=\d+\)/.exec(stderr)?.[0]
  if (skipped !== undefined) t.diagnostic(`${skipped}: a package of Python is not installed`)
})
