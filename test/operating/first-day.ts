import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { programOptions } from '../support/program/program.ts'

programOptions({
  name: 'first-day',
  about:
    'Runs every command of docs/operating/first-day.md in a shell, each in its own process, ' +
    'with local servers in place of the exchanges that prices come from.',
})
const tests = fileURLToPath(new URL('../../../scripts/test.mjs', import.meta.url))
const env = { ...process.env, OPENPERP_FIRST_DAY: 'shell' }
const { status } = spawnSync(process.execPath, [tests, 'operating/first-day'], {
  env,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
