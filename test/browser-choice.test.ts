// Which browser the browser tests use, and the outcome of a test file without a browser or with a
// broken one: test files are run as a contributor runs them, with the environment of such a
// machine.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chosenBrowser } from './support/browser/chosen-browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'openperp-browser-choice-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function program(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

const file = fileURLToPath(new URL('./browser/truth.test.js', import.meta.url))
/** Each of them ends within seconds; a file that hangs is a failure all the same. */
const endMs = 120_000

type Ended = Readonly<{ code: number | null; output: string }>

/** Runs a file of browser tests by itself, with this environment on top of a bare one. */
async function run(env: Readonly<Record<string, string>>): Promise<Ended> {
  const node = join(folder, 'node')
  const { TMPDIR = tmpdir(), HOME = folder } = process.env
  const bare = { PATH: folder, HOME, TMPDIR, ...env }
  const child = spawn(node, ['--test', '--test-reporter=spec', file], { env: bare })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text
    })
  const guard = setTimeout(() => child.kill('SIGKILL'), endMs)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(guard)
  return { code, output }
}

symlinkSync(process.execPath, join(folder, 'node'))

test('the named browser is used, else one on the PATH, else the packed one if it fits', () => {
  const fits = { platform: 'linux', arch: 'x64' }
  const others = [
    { platform: 'linux', arch: 'arm64' },
    { platform: 'darwin', arch: 'x64' },
  ]
  for (const machine of [fits, ...others]) {
    const named = chosenBrowser({ OPENPERP_CHROMIUM: '/a/browser', PATH: folder }, machine)
    assert.deepEqual(named, { kind: 'installed', path: '/a/browser' })
  }
  assert.deepEqual(chosenBrowser({ PATH: folder }, fits), { kind: 'packed' })
  assert.deepEqual(chosenBrowser({}, fits), { kind: 'packed' })
  for (const machine of others)
    assert.deepEqual(chosenBrowser({ PATH: folder }, machine), { kind: 'none' })
  // Found by its name, but only as a program.
  writeFileSync(join(folder, 'chromium'), 'not a program')
  assert.deepEqual(chosenBrowser({ PATH: folder }, fits), { kind: 'packed' })
  rmSync(join(folder, 'chromium'))
  const path = program('google-chrome', 'exit 1')
  for (const machine of [fits, ...others])
    assert.deepEqual(chosenBrowser({ PATH: `/nowhere:${folder}` }, machine), {
      kind: 'installed',
      path,
    })
  rmSync(path)
})

// Where the packed browser fits there is always one.
const alwaysOne = chosenBrowser({}).kind === 'packed' && 'the packed browser fits this machine'

// They mostly wait, for a process to start or for a browser to answer.
describe('a file of browser tests', { concurrency: true }, () => {
  test('without a browser a file is skipped, with a line that says how to get one', async (t) => {
    if (alwaysOne) return t.skip(alwaysOne)
    const { code, output } = await run({})
    assert.equal(code, 0, output)
    assert.match(output, /skipped 1\n/)
    const lines = output.split('\n').filter((line) => line.includes('OPENPERP_CHROMIUM'))
    assert.equal(lines.length, 1, output)
    assert.match(lines[0]!, /install Chromium or Chrome/)
  })

  test('where a browser is required, a missing one is a failure', async (t) => {
    if (alwaysOne) return t.skip(alwaysOne)
    const { code, output } = await run({ OPENPERP_REQUIRE_BROWSER: '1' })
    assert.equal(code, 1, output)
    assert.match(output, /install Chromium or Chrome/)
  })

  test('a browser that exits immediately fails its file', async () => {
    const { code, output } = await run({ OPENPERP_CHROMIUM: program('broken', 'exit 1') })
    assert.equal(code, 1, output)
    assert.match(output, /the browser .*broken does not start/)
  })

  test('so does a missing one', async () => {
    const { code, output } = await run({ OPENPERP_CHROMIUM: join(folder, 'missing') })
    assert.equal(code, 1, output)
    assert.match(output, /the browser .*missing does not start/)
  })

  test('so does one that starts and never answers', async () => {
    const sleeper = program('unanswering', 'exec /bin/sleep 600')
    const { code, output } = await run({ OPENPERP_CHROMIUM: sleeper })
    assert.equal(code, 1, output)
    assert.match(output, /the browser .*unanswering does not start/)
  })
})
