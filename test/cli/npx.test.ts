// An exchange started by npx stops with it, in order; one started by a script keeps running.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isAlive } from '../support/running/is-alive.ts'

const program = fileURLToPath(new URL('../../src/main/openperp.js', import.meta.url))

/** As npx does: a separate process, a shell that waits, and the program. */
const launcher = `
process.title = process.env.LAUNCHER
const { spawn } = require('node:child_process')
const args = ['-c', '"$0" "$@"; exit $?', ...process.argv.slice(1)]
const shell = spawn('sh', args, { stdio: 'inherit' })
process.on('SIGTERM', () => shell.kill('SIGTERM'))
shell.on('exit', () => process.exit())
setInterval(() => {}, 1_000)
`

async function until(is: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    if (is()) return
    await sleep(50)
  }
  assert.fail(`waited in vain until ${what}`)
}

type Started = Readonly<{ npx: ChildProcess; pid: number; folder: string }>

async function started(t: TestContext, launchedBy: string): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-npx-'))
  const ports = ['--port', '0', '--admin-port', '0', '--compat-port', 'off']
  const flags = ['--data', folder, '--bots', 'off', '--past-minutes', '0', ...ports]
  const args = ['-e', launcher, '--', process.execPath, program, 'start', ...flags]
  const npx = spawn(process.execPath, args, {
    env: { ...process.env, npm_command: 'exec', LAUNCHER: launchedBy },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lock = join(folder, 'lock')
  let pid = 0
  t.after(async () => {
    npx.kill('SIGKILL')
    if (pid !== 0 && isAlive(pid)) process.kill(pid, 'SIGKILL')
    await until(() => pid === 0 || !isAlive(pid), 'all processes have exited')
    rmSync(folder, { recursive: true, force: true })
  })
  const ended = once(npx, 'exit')
  await Promise.race([once(npx.stdout!, 'data'), ended])
  assert.ok(existsSync(lock))
  pid = (JSON.parse(readFileSync(lock, 'utf8')) as { pid: number }).pid
  return { npx, pid, folder }
}

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test(`an exchange that npx started stops in order when npx gets ${signal}`, async (t) => {
    const { npx, pid, folder } = await started(t, 'npm exec openperp')
    npx.kill(signal)
    await until(() => !isAlive(pid), 'the exchange has exited')
    assert.ok(!existsSync(join(folder, 'lock')), 'the lock is released')
  })

test('an exchange started in another way keeps running', async (t) => {
  const { npx, pid } = await started(t, 'a-tool')
  npx.kill('SIGKILL')
  await once(npx, 'exit')
  await sleep(2_500)
  assert.ok(isAlive(pid))
})
