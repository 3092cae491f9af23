import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

const children = new URL('./children.js', import.meta.url).href
/** Starts a process that starts another, as a test may; resolves to the id of the first. */
const program = `
import { spawn } from 'node:child_process'
import { watched } from '${children}'
const inner = 'setInterval(() => undefined, 1_000); console.log(process.ppid)'
const outer = \`require('node:child_process')
  .spawn(process.execPath, ['-e', '\${inner}'], { stdio: ['ignore', 'inherit', 'ignore'] })
setInterval(() => undefined, 1_000)\`
const stdio = ['ignore', 'inherit', 'ignore']
watched(spawn(process.execPath, ['-e', outer], { detached: true, stdio }))
`

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`processes of a run end with it (${signal})`, async (t) => {
    if (process.platform === 'win32') return t.skip('Windows has no groups of processes')
    const run = spawn(process.execPath, ['--input-type=module', '-e', program])
    const first = Number(String((await once(run.stdout, 'data'))[0]))
    // All three have it, so that it is closed when none of them is left.
    const closed = once(run.stdout, 'close', { signal: AbortSignal.timeout(120_000) })
    run.kill(signal)
    await closed.catch((error) => {
      process.kill(-first, 'SIGKILL')
      throw error
    })
    assert.ok(first > 0)
  })
