// The test of the package where npm cannot reach the registry. The npm here is a stand-in with the
// messages of npm: the real one would first pack, and then wait for a reply.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { root, run } from '../support/pack/installed-package.ts'

const folder = mkdtempSync(join(tmpdir(), 'openperp-pack-offline-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const npm = join(folder, 'npm-cli.js')
writeFileSync(
  npm,
  `const [command, , destination] = process.argv.slice(2)
  if (command === 'pack') {
    require('node:fs').writeFileSync(destination + '/openperp.tgz', '')
  } else {
    console.error('npm error code ENOTFOUND\\nnpm error network request failed')
    process.exit(1)
  }`,
)

const file = fileURLToPath(new URL('./pack.test.js', import.meta.url))

function runOffline(required: '0' | '1') {
  const env = { OPENPERP_REQUIRE_PACKAGES: required, npm_execpath: npm }
  const command = [process.execPath, '--test', '--test-reporter=spec', file]
  return run(command, { cwd: root, env, timeoutMs: 120_000 })
}

test('where npm can fetch nothing every use is skipped, and one line says why', async () => {
  const { code, out, errors } = await runOffline('0')
  assert.equal(code, 0, out + errors)
  assert.match(out, /\nℹ pass 0\n/)
  assert.match(out, /\nℹ skipped [1-9]/)
  const lines = out.split('\n').filter((line) => line.includes('no package can be fetched'))
  assert.equal(lines.length, 1, out)
  assert.match(lines[0]!, /ENOTFOUND.*run it where npm can install/)
})

test('where packages are required the same is a failure', async () => {
  const { code, out, errors } = await runOffline('1')
  assert.equal(code, 1, out + errors)
  assert.match(out, /no package can be fetched \(ENOTFOUND\)/)
  assert.doesNotMatch(out, /\nℹ skipped [1-9]/)
})
