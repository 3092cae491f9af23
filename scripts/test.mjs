// `npm test [-- pattern… --watch]`: set-up, the checks of `npm run check`, then node's runner.
// A pattern keeps the test files whose path contains it; the steps before the tests always run,
// because a pattern must not hide a broken build.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { check, filesUnder } from './check.mjs'
import { ready } from './ready.mjs'
import { runnerArguments } from './runner.mjs'
import { together } from './together.mjs'
import { watchTests } from './watch-tests.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const given = process.argv.slice(2).filter((flag) => flag !== '--')
const wanted = given.filter((flag) => flag !== '--watch')
if (wanted.length < given.length) await watchTests(wanted)
ready()
// With a pattern, only files that have changed are formatted and linted.
if (!(await check(wanted.length > 0))) process.exit(1)

const files = filesUnder('dist', '.test.js')
  .filter((name) => wanted.length === 0 || wanted.some((pattern) => name.includes(pattern)))
  .sort()
if (files.length === 0) {
  // With no file named, node's runner would go looking for tests by itself and run them all.
  console.error(`openperp: no test file matches ${wanted.join(' ') || 'anything'}`)
  process.exit(1)
}
const tests = runnerArguments(together('dist', files))
const { status, signal, error } = spawnSync(process.execPath, tests, { stdio: 'inherit' })
if (status !== 0) {
  console.error(`openperp: tests failed (${error?.message ?? signal ?? status})`)
  process.exit(status || 1)
}
