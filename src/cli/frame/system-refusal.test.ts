import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openperp, openperpJson } from '../../../test/support/cli/run-openperp.ts'
import { systemRefusal } from './system-refusal.ts'

const root = mkdtempSync(join(tmpdir(), 'openperp-refused-'))
after(() => rmSync(root, { recursive: true }))

function failed(code: string, syscall: string, path?: string): Error {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall, path })
}

test('a system error names the path and the missing permission', () => {
  const textOf = (...fault: Parameters<typeof failed>) => {
    const { message, hint } = systemRefusal(failed(...fault))!
    return `${message}; ${hint}`
  }
  assert.match(textOf('EACCES', 'scandir', '/d'), /^\/d: this user.* may not .* enter the folder;/)
  assert.match(textOf('EPERM', 'mkdir', '/d/new'), /^\/d\/new: .*to write to the folder/)
  assert.match(textOf('EROFS', 'open', '/d/file'), /^\/d\/file is on a disk that can only be read/)
  assert.match(
    textOf('ENOSPC', 'write'),
    /^no space is left on the disk of what this command reads/,
  )
})

test('socket errors and bugs keep their own messages', () => {
  assert.equal(systemRefusal(failed('EACCES', 'listen')), null)
  assert.equal(systemRefusal(failed('ECONNRESET', 'read')), null)
  assert.equal(systemRefusal(new TypeError('not a function')), null)
})

test('commands end with exit code 1 and no stack trace on a system error', async () => {
  const file = join(root, 'file')
  writeFileSync(file, '')
  const data = join(root, 'data')
  mkdirSync(join(data, 'genesis.json'), { recursive: true })
  const chosen = ['--markets', 'btc', '--sources', 'binance,coinbase,kraken']
  for (const [code, ...args] of [
    ['EEXIST', 'key', 'new', '--key-file', join(file, 'key')],
    ['ENOTDIR', 'key', 'new', '--key-file', join(file, 'folder', 'key')],
    ['ENOTDIR', 'init', 'venue', join(file, 'in', 'venue'), '--name', 'v', ...chosen],
    ['EISDIR', 'audit', '--data', data],
  ]) {
    const ran = await openperp(args)
    assert.deepEqual([ran.code, ran.out], [1, ''], args.join(' '))
    assert.match(ran.err, /^openperp: (?:.*openperp-refused-|what this command reads)/)
    assert.doesNotMatch(ran.err, /at .*:\d+:\d+/)
    const { json } = await openperpJson<{ error: { code: string } }>(args)
    assert.ok(json.error.code === code || ran.err.includes(code!), ran.err)
  }
})
