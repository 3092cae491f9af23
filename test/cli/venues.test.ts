// The exchange that a key signs for, from the command line: stored in the user's folder.

import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'
import { dataOf } from '../support/http/api-client.ts'
import { frozenSandbox, type Live } from '../support/http/live-exchange.ts'

const one = await frozenSandbox(['--require-venue', 'on'])
const other = await frozenSandbox()
const root = mkdtempSync(join(tmpdir(), 'openperp-venues-'))
after(async () => {
  await Promise.all([one.close(), other.close()])
  rmSync(root, { recursive: true, force: true })
})

const idOf = async ({ api }: Live) => String(dataOf(await api.get('/info/venue')).venue)
const [first, second] = [await idOf(one), await idOf(other)]

let homes = 0
/** A key that no exchange knows, in its own home folder. */
function someone() {
  const HOME = join(root, `home-${++homes}`)
  mkdirSync(HOME)
  const { address, secret } = newKey()
  const environment = { HOME, OPENPERP_KEY: secret }
  const file = join(HOME, '.openperp', 'venues', address)
  const run = (live: Live, args: readonly string[], more: Record<string, string> = {}) =>
    openperp(args, { environment: { ...environment, OPENPERP_URL: live.url, ...more } })
  return { address, environment, file, run }
}

const leverage = ['leverage', 'BTC', '5'] as const

test('a key belongs to the first exchange that it signs for', async () => {
  const { address, file, run, environment } = someone()
  assert.equal((await run(one, ['fund', '1000'])).code, 0)
  assert.equal(existsSync(file), false, 'nothing was signed')
  const done = await run(one, leverage)
  assert.deepEqual([done.code, done.err], [0, ''])
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { venue: first, sandbox: true })
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const shown = await openperpJson(['key', 'show'], { environment })
  assert.deepEqual([shown.json.address, shown.json.venue], [address, first])
})

test('a sandbox replaces another sandbox, with a message', async () => {
  const { file, run } = someone()
  for (const live of [one, other]) assert.equal((await run(live, ['fund', '1000'])).code, 0)
  await run(one, leverage)
  const moved = await run(other, leverage)
  assert.equal(moved.code, 0)
  assert.match(moved.err, new RegExp(`another sandbox: the key belonged to ${first}, .*${second}`))
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).venue, second)
})

test('the key of a venue signs nothing elsewhere until it is unpinned', async () => {
  const { file, run, environment } = someone()
  await run(other, ['fund', '1000'])
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, JSON.stringify({ venue: first, sandbox: false }))
  for (const args of [leverage, ['balance']]) {
    const refused = await run(other, args)
    assert.equal(refused.code, 1, refused.out)
    assert.match(
      refused.err,
      new RegExp(`is venue ${second}, and the key .* ${first}; nothing was`),
    )
    assert.match(refused.err, /openperp key unpin/)
  }
  // A cancel waits only briefly to learn the exchange's id, and is then rejected there.
  const cancelled = await run(other, ['cancel', '--all'])
  assert.equal(cancelled.code, 1, cancelled.out)
  assert.match(cancelled.err, /; nothing was|OTHER_VENUE/)
  const freed = await openperpJson(['key', 'unpin'], { environment })
  assert.equal(freed.json.venue, first)
  assert.equal((await run(other, leverage)).code, 0)
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).venue, second)
})

test('--venue overrides the stored venue and is not stored', async () => {
  const { file, run } = someone()
  for (const live of [one, other]) await run(live, ['fund', '1000'])
  assert.equal((await run(one, [...leverage, '--venue', first])).code, 0)
  assert.equal((await run(other, [...leverage, '--venue', first])).code, 1)
  assert.equal((await run(other, leverage, { OPENPERP_VENUE: first })).code, 1)
  assert.equal((await run(other, [...leverage, '--venue', 'none'])).code, 0)
  assert.match((await run(one, [...leverage, '--venue', 'none'])).err, /VENUE_REQUIRED/)
  const wrong = await run(one, [...leverage, '--venue', 'here'])
  assert.equal(wrong.code, 2)
  assert.match(wrong.err, /--venue must be the id of a venue/)
  assert.equal(existsSync(file), false)
})

test('a command is executed with a warning if the home folder cannot store the venue', async () => {
  const { file, run } = someone()
  await run(one, ['fund', '1000'])
  mkdirSync(join(file, '..', '..'))
  writeFileSync(join(file, '..'), 'a file in the place of the folder')
  const done = await run(one, leverage)
  assert.equal(done.code, 0, done.err)
  assert.match(done.err, new RegExp(`the venue of this key was not kept: .*--venue .*${first}`))
})

test('a damaged file is reported, and not treated as a new key', async () => {
  const { file, run } = someone()
  await run(one, ['fund', '1000'])
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '{}')
  const damaged = await run(one, leverage)
  assert.equal(damaged.code, 1)
  assert.match(damaged.err, /does not say which venue the key belongs to/)
})
