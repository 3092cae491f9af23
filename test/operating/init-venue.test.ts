// `openperp init venue`: what it writes, what a start makes of it, and what it refuses.

import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigError, readConfig } from '../../src/config.ts'
import { environmentIn } from '../../src/main/command-line.ts'
import { openperp, openperpJson } from '../support/cli/run-openperp.ts'

const home = mkdtempSync(join(tmpdir(), 'openperp-init-'))
after(() => rmSync(home, { recursive: true, force: true }))
const plain = ['--markets', 'btc,xau', '--sources', 'binance,coinbase,kraken']
const init = (folder: string, ...flags: string[]) =>
  openperp(['init', 'venue', join(home, folder), ...flags])

test('init writes a venue with private secrets, and a start reads it', async () => {
  const folder = join(home, 'one')
  const { code, out } = await init('one', ...plain, '--name', 'One venue', '--port', '9000')
  assert.equal(code, 0)
  const config = readConfig([], {}, folder)
  assert.deepEqual([config.mode, config.port, config.data], ['venue', 9_000, join(folder, 'data')])
  assert.deepEqual(
    config.priceSources.map(({ kind, symbols }) => [kind, symbols]),
    [
      ['binance', { BTC: 'BTCUSDT', XAU: 'PAXGUSDT' }],
      ['coinbase', { BTC: 'BTC-USD', XAU: 'PAXG-USD' }],
      ['kraken', { BTC: 'BTC/USD', XAU: 'PAXG/USD' }],
    ],
  )
  assert.deepEqual(
    config.adminTokens.map(({ name, scopes }) => [name, scopes.join('+')]),
    [
      ['operator', 'read+markets+accounts+operate'],
      ['money', 'read+money'],
      ['second', 'read+money'],
      ['watch', 'read'],
    ],
  )
  for (const { name, token } of config.adminTokens) {
    const file = join(folder, 'secrets', `${name}.token`)
    assert.equal(readFileSync(file, 'utf8').trim(), token)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(out.split(token).length, 2, 'shown once')
  }
  const house = join(folder, 'secrets', 'house.key')
  assert.equal(statSync(house).mode & 0o777, 0o600)
  const { out: address } = await openperp(['key', 'address', '--key-file', house])
  assert.deepEqual(config.operatorAccounts, [address.trim()])
  assert.match(readFileSync(join(folder, '.gitignore'), 'utf8'), /^secrets\/\ndata\/$/m)
  assert.equal(statSync(join(folder, 'secrets')).mode & 0o777, 0o700)
  const text = readFileSync(join(folder, 'openperp.env'), 'utf8')
  assert.match(text, /^# One venue: /)
  assert.match(text, /^# {3}max_leverage 25: Half of what/m)
  for (const { token } of config.adminTokens) assert.ok(!text.includes(token))
  const found = environmentIn(folder, {})
  assert.equal(found.OPENPERP_URL, 'http://127.0.0.1:9000')
  assert.equal(found.OPENPERP_ADMIN_URL, 'http://127.0.0.1:8081')
  assert.deepEqual(environmentIn(home, {}), {})
  // As for the exchange itself, the environment counts before the file.
  const ports = environmentIn(folder, { OPENPERP_PORT: '7000', OPENPERP_ADMIN_PORT: '7001' })
  assert.equal(ports.OPENPERP_URL, 'http://127.0.0.1:7000')
  assert.equal(ports.OPENPERP_ADMIN_URL, 'http://127.0.0.1:7001')
  const again = await init('one', ...plain)
  assert.equal(again.code, 1)
  assert.match(again.err, /has something in it: nothing is written over/)
  assert.equal(readFileSync(join(folder, 'openperp.env'), 'utf8'), text)
})

test('missing values are prompted for, and an empty answer means the default', async () => {
  const folder = join(home, 'prompted')
  const answers = ['Prompted', 'btc, doge', '']
  const ran = await openperp(['init', 'venue', folder], { answers })
  assert.equal(ran.code, 0, ran.err)
  const { priceSources } = readConfig([], {}, folder)
  assert.deepEqual(Object.keys(priceSources[0]!.symbols), ['BTC', 'DOGE'])
  assert.deepEqual(
    priceSources.map(({ kind }) => kind),
    ['binance', 'coinbase', 'kraken'],
  )
})

test('an invalid venue is refused before anything is written', async () => {
  for (const [flags, says] of [
    [[], /--markets is required without a terminal\n--markets btc,eth/],
    [['--markets', 'btc,gold'], /no market gold in the catalogue\nthere are btc \(Bitcoin\), eth/],
    [['--markets', 'btc', '--sources', 'kraken'], /btc needs 2 sources of prices, and of these 1/],
    [
      ['--markets', 'xau', '--sources', 'bybit,okx'],
      /xau needs 2[\s\S]*these have it: binance, okx/,
    ],
    [['--markets', 'xag', '--sources', 'okx,kraken'], /xag needs 2[\s\S]*--push makes a token/],
    [
      ['--markets', 'btc', '--sources', 'pyth,okx'],
      /pyth is not a price source[\s\S]*price-sources\.md/,
    ],
    [[...plain, '--port', 'x'], /--port must be a whole number/],
    [[...plain, '--source-url', 'okx=wss://x'], /names no address of a source/],
    [[...plain, '--name', 'a\nOPENPERP_MODE=sandbox'], /one line/],
  ] as const) {
    const { code, err } = await init('none', ...flags)
    assert.equal(code, 2, err)
    assert.match(err, says)
  }
  assert.ok(!existsSync(join(home, 'none')))
  writeFileSync(join(home, 'file'), '')
  const { code: refused, err } = await init('file/venue', ...plain)
  assert.deepEqual([refused, /file\/venue cannot be (used|created): /.test(err)], [1, true], err)
  type Made = Readonly<{ tokens: readonly { name: string }[]; warnings: readonly string[] }>
  const { code, json } = await openperpJson<Made>([
    ...['init', 'venue', join(home, 'silver'), '--markets', 'btc,xag'],
    ...['--sources', 'okx,kraken', '--push'],
  ])
  assert.deepEqual([code, json.tokens.map(({ name }) => name).at(-1)], [0, 'door'])
  assert.equal(json.warnings.length, 1)
  assert.match(json.warnings[0]!, /XAG has no source of prices yet, and does not trade without 2/)
})

test('a token is replaced in both of its files, and all others stay as they are', async () => {
  const folder = join(home, 'one')
  const file = join(folder, 'secrets', 'tokens')
  const before = readConfig([], {}, folder).adminTokens
  const text = readFileSync(file, 'utf8')
  const rotate = (name: string, ...flags: string[]) =>
    openperp(['admin', 'token', 'rotate', name, '--tokens-file', file, ...flags])
  for (const [name, flags, says] of [
    ['absent', ['--yes'], /no token called absent\nthere are operator, money, second, watch/],
    ['money', [], /standard input is not a terminal[\s\S]*--yes skips/],
  ] as const) {
    const { code, err } = await rotate(name, ...flags)
    assert.equal(code, 2)
    assert.match(err, says)
  }
  assert.equal(readFileSync(file, 'utf8'), text)
  const { code, out } = await rotate('money', '--yes')
  assert.equal(code, 0)
  const after = readConfig([], {}, folder).adminTokens
  const { token } = after.find(({ name }) => name === 'money')!
  assert.ok(out.includes(token))
  assert.equal(readFileSync(join(folder, 'secrets', 'money.token'), 'utf8'), `${token}\n`)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const old = before.find(({ name }) => name === 'money')!.token
  assert.equal(readFileSync(file, 'utf8'), text.replace(old, token))
  // Its holder took the file away: it is shown, and no file is made.
  rmSync(join(folder, 'secrets', 'second.token'))
  assert.equal((await rotate('second', '--yes')).code, 0)
  assert.ok(!existsSync(join(folder, 'secrets', 'second.token')))
  chmodSync(file, 0o640)
  assert.match((await rotate('watch', '--yes')).err, /may be read by others/)
  chmodSync(file, 0o600)
})

test('faults in the files of settings and tokens are named without secrets', () => {
  const folder = mkdtempSync(join(home, 'files-'))
  const tokens = join(folder, 'tokens')
  const set = (...lines: string[]) => writeFileSync(join(folder, 'openperp.env'), lines.join('\n'))
  const wrong = (says: RegExp) =>
    assert.throws(
      () => readConfig([], {}, folder),
      (error: Error) =>
        error instanceof ConfigError && says.test(error.message) && !/hidden/.test(error.message),
    )
  set('# a comment', 'OPENPERP_PORT=9100 # and another', 'OPENPERP_BOTS=off')
  assert.deepEqual(
    [readConfig([], {}, folder).port, readConfig([], { OPENPERP_PORT: '1' }, folder).port],
    [9_100, 1],
  )
  assert.equal(readConfig(['--port', '2'], {}, folder).port, 2)
  set('OPENPERP_PROT=1')
  wrong(/openperp\.env: there is no setting OPENPERP_PROT; there are OPENPERP_MODE/)
  set('OPENPERP_PORT=high')
  wrong(/OPENPERP_PORT in .*openperp\.env must be a whole number/)
  set('OPENPERP_MODE=venue', 'OPENPERP_ADMIN_TOKENS_FILE=tokens')
  wrong(/the token file .*tokens cannot be read: ENOENT/)
  writeFileSync(tokens, '# who\nops:hidden-hidden-hidden:read\n\n', { mode: 0o600 })
  assert.equal(readConfig([], {}, folder).adminTokens[0]!.name, 'ops')
  const more = { OPENPERP_ADMIN_TOKENS: 'more:0123456789abcdef:read' }
  assert.equal(readConfig([], more, folder).adminTokens.length, 2)
  chmodSync(tokens, 0o644)
  wrong(/can be read by other users \(mode 644\): run chmod 600/)
  chmodSync(tokens, 0o600)
  writeFileSync(tokens, 'ops:hidden\n')
  wrong(/tokens must be `name:token:scope\+scope`/)
})
