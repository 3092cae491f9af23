import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DiskHistory } from '../support/disk-history.ts'

const program = fileURLToPath(new URL('../support/crash-child.js', import.meta.url))
/** Longer than the lock stays valid. */
const frozenMs = 1_200

test('a process that was frozen and replaced acknowledges nothing more', async () => {
  const history = new DiskHistory(9)
  const folder = join(history.root, 'shared')
  const child = spawn(process.execPath, [program, folder, '4', 'another-host'])
  const exit = once(child, 'exit')
  const said: number[] = []
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => said.push(Number.parseInt(line, 10)))
  while (said.length < 20) await once(lines, 'line')
  child.kill('SIGSTOP')
  await sleep(frozenMs)
  const past = new Date(Date.now() - 60_000)
  utimesSync(join(folder, 'lock'), past, past)

  await history.open({ folder })
  const begun = history.data.sequencer.seq
  assert.ok(begun >= Math.max(...said), 'all acknowledged commands are there')
  await history.run(40, 4)
  child.kill('SIGCONT')
  const deadline = setTimeout(() => child.kill('SIGKILL'), 30_000)
  const [code] = await exit
  clearTimeout(deadline)
  assert.equal(code, 1, 'it ended by itself')
  assert.match(errors, /is no longer ours/)
  assert.ok(Math.max(...said) <= begun, `it said ${said.at(-1)}, and was replaced at ${begun}`)

  await history.run(40, 4)
  const { hash } = history
  await history.data.close({ snapshot: false })
  await history.open({ folder })
  assert.equal(history.hash, hash)
  assert.deepEqual(history.fatal, [])
  await history.end()
})
