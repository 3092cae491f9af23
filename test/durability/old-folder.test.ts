import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { goldenFolder, goldenNames } from '../replay/golden.ts'
import { openperp } from '../support/cli/run-openperp.ts'
import { ChildExchange } from '../support/running/child-exchange.ts'

/** Names, times, modes and bytes of all files. */
function pictureOf(root: string): readonly string[] {
  return ['.', ...readdirSync(root, { recursive: true }).map(String).sort()].map((name) => {
    const path = join(root, name)
    const { mode, mtimeMs } = statSync(path)
    const bytes = statSync(path).isFile() ? readFileSync(path) : ''
    return `${name} ${mode} ${mtimeMs} ${createHash('sha256').update(bytes).digest('hex')}`
  })
}

test('a data folder of an earlier build is rejected and left unchanged', async () => {
  const root = mkdtempSync(join(tmpdir(), 'openperp-old-'))
  const data = join(root, 'data')
  cpSync(join(goldenFolder, goldenNames()[0]!), data, { recursive: true })
  const file = join(data, 'genesis.json')
  const genesis = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...genesis, format: 1 }))
  writeFileSync(join(data, 'history.db'), 'of an earlier build')
  const before = pictureOf(data)

  const child = new ChildExchange(data)
  await assert.rejects(child.ready)
  assert.deepEqual(await child.ended, { code: 1, signal: null })
  assert.match(
    child.errors,
    /written by another version of openperp \(data format 1; .*left as it is/,
  )
  assert.match(child.errors, /Start with another folder \(--data, OPENPERP_DATA\)/)
  const audit = await openperp(['audit', '--data', data])
  assert.notEqual(audit.code, 0)
  assert.match(audit.out + audit.err, /written by another version of openperp/)
  assert.deepEqual(pictureOf(data), before)
  rmSync(root, { recursive: true, force: true })
})
