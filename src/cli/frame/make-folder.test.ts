// Folders that commands create, and places where they cannot.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { CliError } from './exit-codes.ts'
import { makeFolder } from './make-folder.ts'

const home = mkdtempSync(join(tmpdir(), 'openperp-folders-'))
after(() => rmSync(home, { recursive: true, force: true }))
const modeOf = (path: string) => statSync(path).mode & 0o777

test('a folder is created with its parents, and an existing one is left as it is', () => {
  makeFolder(join(home, 'a', 'b'), 0o700)
  assert.deepEqual([modeOf(join(home, 'a')), modeOf(join(home, 'a', 'b'))], [0o700, 0o700])
  makeFolder(join(home, 'a', 'b', 'c'), 0o750)
  makeFolder(join(home, 'a', 'b'), 0o755)
  assert.deepEqual(
    [modeOf(join(home, 'a', 'b')), modeOf(join(home, 'a', 'b', 'c'))],
    [0o700, 0o750],
  )
})

test('a path with a file in it is rejected by name', () => {
  const file = join(home, 'file')
  writeFileSync(file, '')
  for (const path of [file, join(file, 'below')])
    assert.throws(
      () => makeFolder(path),
      (error) => {
        assert.ok(error instanceof CliError)
        assert.ok(error.message.startsWith(`${path} cannot be created: `), error.message)
        assert.match(error.hint!, /where you may create one/)
        return true
      },
    )
})

// In a separate process: the call that it replaces never returns.
test('a folder below /proc is rejected', { skip: process.platform !== 'linux' }, () => {
  const module = new URL('make-folder.js', import.meta.url).href
  const program = `import('${module}').then(({ makeFolder }) => makeFolder('/proc/none/venue'))`
  const options = { encoding: 'utf8', timeout: 120_000 } as const
  const { stderr, signal } = spawnSync(process.execPath, ['-e', program], options)
  assert.equal(signal, null)
  assert.match(stderr, /\/proc\/none\/venue cannot be created: ENOENT/)
})
