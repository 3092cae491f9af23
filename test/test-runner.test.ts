// `npm test` comes to an end: a file that does not end by itself is ended, and named.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'

type Runner = Readonly<{
  runnerArguments(files: readonly string[], limitMs?: number): readonly string[]
}>
const { runnerArguments }: Runner = await import(
  new URL('../../scripts/runner.mjs', import.meta.url).href
)

const folder = mkdtempSync(join(tmpdir(), 'openperp-test-runner-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, body: string): string {
  const path = join(folder, `${name}.test.mjs`)
  writeFileSync(path, `import { test } from 'node:test'\n${body}\n`)
  return path
}

/** A process that is told nothing of the runner that runs this file. */
async function run(files: readonly string[], limitMs: number) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = runnerArguments(files, limitMs)
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const guard = setTimeout(() => child.kill('SIGKILL'), 100_000)
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  clearTimeout(guard)
  return { code, said }
}

test('a file that never ends is ended and named, whatever keeps it', async () => {
  const files = [
    file('waits', "test('waits', () => new Promise(() => setInterval(() => undefined, 1000)))"),
    file('stays', "test('stays', () => undefined)\nsetInterval(() => undefined, 1000)"),
    file('loops', "test('loops', () => { for (;;); })"),
  ]
  const { code, said } = await run(files, 2_000)
  assert.equal(code, 1, said)
  for (const name of ['waits', 'stays', 'loops'])
    assert.match(said, new RegExp(`✖ \\S*${name}\\.test\\.mjs .*\\n.*timed out after 2000ms`), said)
})

test('npm test gives every file such a limit', () => {
  const given = runnerArguments(['a.test.js']).join(' ')
  const limit = Number(/--test-timeout=(\d+)/.exec(given)?.[1])
  // Above what the longest needs on a slow machine, below the quarter of an hour that all have.
  assert.ok(limit >= 300_000 && limit < 900_000, given)
})
