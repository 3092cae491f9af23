import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { DiskHistory } from './support/disk-history.ts'

const program = fileURLToPath(new URL('./support/crash-child.js', import.meta.url))

/** Runs the child until it has printed the given number of lines, kills it, and returns the hash by
 *  sequence number. */
async function killAfter(lines: number, folder: string, seed: number) {
  const said = new Map<number, string>()
  const child = spawn(process.execPath, [program, folder, `${seed}`])
  const errors: string[] = []
  child.stderr.on('data', (text) => errors.push(String(text)))
  const exit = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) {
    const [seq, hash] = line.split(' ')
    said.set(Number.parseInt(seq!, 10), hash!)
    if (said.size === lines) child.kill('SIGKILL')
  }
  await exit
  assert.equal(errors.join(''), '')
  return said
}

test('a process killed under load has lost nothing it acknowledged', async () => {
  const seed = 4
  for (const lines of [1, 9, 40]) {
    const history = new DiskHistory(seed)
    const folder = join(history.root, 'killed')
    const said = await killAfter(lines, folder, seed)
    await history.open({ folder })
    const { seq } = history.data.sequencer
    assert.ok(seq >= Math.max(...said.keys()), `seq ${seq}`)
    // It may have got further than it could print; then its own history has the expected state.
    const twin = new DiskHistory(seed)
    await twin.open()
    await twin.run(seq, 3)
    assert.equal(history.hash, twin.hash)
    assert.equal(said.get(seq) ?? history.hash, history.hash)
    await history.end()
    await twin.end()
  }
})
