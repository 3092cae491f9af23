// The package as strangers meet it: packed, installed into an empty folder, and put to every use
// that the README and docs/embedding.md promise. What the documents print is what runs here.

import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import {
  endGroup,
  filesUnder,
  type InstalledPackage,
  installPackage,
  npm,
  type Ran,
  root,
  run,
  start,
} from '../support/pack/installed-package.ts'

const packagesMax = 85
const bytesMax = 94_000_000
const required = process.env.OPENPERP_REQUIRE_PACKAGES === '1'

let installed: InstalledPackage | null = null
let missing = ''
before(async () => {
  const made = await installPackage()
  if ('unreachable' in made) {
    missing = `no package can be fetched (${made.unreachable}): run it where npm can install`
    if (required) assert.fail(missing)
  } else installed = made
})
after(() => {
  if (installed !== null) rmSync(installed.folder, { recursive: true, force: true })
})

let isExplained = false
/** A test of the package; without one, the first test says why and the others are skipped alike. */
function use(title: string, body: (made: InstalledPackage, t: TestContext) => Promise<void>): void {
  test(title, async (t) => {
    if (installed !== null) return body(installed, t)
    t.skip(isExplained ? 'as above' : missing)
    isExplained = true
  })
}

const page = readFileSync(join(root, 'docs', 'embedding.md'), 'utf8')
const chapter = page.slice(page.indexOf('\n## In a test runner\n'))
/** The program of this kind that the page prints in its chapter on test runners. */
function printed(kind: string): string {
  const found = new RegExp(`\n\`\`\`${kind}\n([\\s\\S]*?)\n\`\`\`\n`).exec(chapter)
  assert.ok(found, `docs/embedding.md prints no ${kind}`)
  return found[1]!
}

const said = ({ code, out, errors }: Ran) => `exit ${code}\n${out}\n${errors}`

/** Links of its documents to files that are not in it; pictures are in the repository only. */
function brokenLinks(place: string, files: readonly string[]): readonly string[] {
  const documents = files.filter((name) => name.endsWith('.md'))
  return documents.flatMap((name) => {
    const links = readFileSync(join(place, name), 'utf8').matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)
    return [...links]
      .map(([, target]) => target!)
      .filter((target) => !target.endsWith('.png'))
      .filter((target) => !existsSync(join(place, dirname(name), target)))
      .map((target) => `${name}: ${target}`)
  })
}

use('it is small, needs no newer Node, and contains neither tests nor benches', async (made) => {
  assert.ok(made.packages <= packagesMax, `${made.packages} packages`)
  assert.ok(made.bytes <= bytesMax, `${made.bytes} bytes`)
  assert.doesNotMatch(made.said, /EBADENGINE/)
  const files = filesUnder(made.place)
  const odd = files.filter(
    (name) =>
      !/^(?:dist\/(?:src|web)\/|docs\/|deploy\/|examples\/|scripts\/openperp\.mjs$|[^/]+$)/.test(
        name,
      ),
  )
  assert.deepEqual(odd, [])
  assert.deepEqual(
    files.filter((name) => /\.test\.|\.png$/.test(name)),
    [],
  )
  for (const name of [
    'README.md',
    'LICENSE',
    'dist/web/index.html',
    'docs/operating/running.md',
    'docs/rules/orders.md',
    'dist/src/client/index.d.ts',
    'dist/src/embed/exchange.js.map',
    'dist/src/programs/openperp.js.map',
  ])
    assert.ok(files.includes(name), name)
  assert.deepEqual(brokenLinks(made.place, files), [])
  // A unit starts it where the package lies.
  assert.ok(statSync(join(made.place, 'deploy/cluster/database.sh')).mode & 0o111)
  const manifest = JSON.parse(readFileSync(join(made.place, 'package.json'), 'utf8'))
  assert.equal(manifest.private, undefined)
  const building = ['esbuild', 'preact', '@preact/signals', 'lightweight-charts']
  assert.deepEqual(
    building.filter((name) => name in manifest.dependencies),
    [],
  )
})

const trade = `
import { Client, newKey } from 'openperp/client'
const url = process.argv[2]
const page = await (await fetch(url)).text()
const script = /src="([^"]+\\.js)"/.exec(page)[1]
console.log('terminal', (await fetch(new URL(script, url))).status)
const client = new Client({ url, signer: newKey() })
await client.sandboxFaucet({ amount: '10000' })
const amount = '0.001'
const order = { symbol: 'BTC', side: 'bid', amount, slippage_percent: '5', reduce_only: false }
const later = () => new Promise((go) => setTimeout(go, 100))
/** A taker stands before the speed bump for a moment: only then there is a fill, or none. */
async function ended(order_id) {
  for (;;) {
    const events = await client.getOrderEvents({ order_id })
    const newest = events.toSorted((one, other) => other.history_id - one.history_id)[0]
    if (newest !== undefined && newest.order_status !== 'open') return newest
    await later()
  }
}
for (;;) {
  // The bots of a fresh sandbox may not have quoted yet.
  const { order_id } = await client.createMarketOrder(order).catch(later) ?? {}
  const { filled_amount } = order_id === undefined ? { filled_amount: '0' } : await ended(order_id)
  if (filled_amount === '0') continue
  const [{ side, amount }] = await client.getPositions({})
  console.log('filled', filled_amount, 'position', side, amount)
  break
}
`

const cluster = `
const [place] = process.argv.slice(1)
const { openPostgresStore } = await import(place)
const nowhere = { connectionString: 'postgres://nowhere/openperp', leaseMs: 1, now: () => 0 }
await openPostgresStore({ ...nowhere, origin: Buffer.alloc(32) })
`

use('it brings no driver of a database, and says which one a cluster needs', async (made) => {
  const door = join(made.place, 'dist', 'src', 'journal', 'postgres', 'open-store.js')
  const command = [process.execPath, '--input-type=module', '-e', cluster, pathToFileURL(door).href]
  const ran = await run(command, { cwd: made.folder })
  assert.match(ran.errors, /a cluster needs the PostgreSQL driver: npm install pg@8/, said(ran))
})

use('npx openperp start trades, and neither installs nor builds', async (made, t) => {
  const { folder } = made
  const files = filesUnder(made.place)
  const flags = ['--port', '0', '--admin-port', '0', '--data', join(folder, 'data')]
  const exchange = start(npm('exec', '--no', '--', 'openperp', 'start', ...flags), { cwd: folder })
  const ended = new Promise((resolve) => exchange.once('close', resolve))
  let output = ''
  let errors = ''
  exchange.stderr!.on('data', (text) => {
    errors += text
  })
  t.after(async () => {
    endGroup(exchange, 'SIGKILL')
    await ended
  })
  const guard = setTimeout(() => endGroup(exchange, 'SIGKILL'), 120_000)
  let url = ''
  for await (const text of exchange.stdout!.iterator({ destroyOnReturn: false })) {
    output += text
    url = /(http:\/\/[^ /]+:\d+)\/api/.exec(output)?.[1] ?? ''
    if (url !== '' && output.includes('Ctrl-C')) break
  }
  exchange.stdout!.resume()
  clearTimeout(guard)
  assert.ok(url !== '', `${output}\n${errors}`)
  assert.doesNotMatch(errors, /installing|building/)
  writeFileSync(join(folder, 'trade.mjs'), trade)
  const traded = await run([process.execPath, 'trade.mjs', url], { cwd: folder })
  assert.equal(traded.out, 'terminal 200\nfilled 0.001 position bid 0.001\n', said(traded))
  endGroup(exchange, 'SIGTERM')
  await ended
  assert.deepEqual(filesUnder(made.place), files)
})

const typed = `
import { ApiRefusal, type Book, Client, keyOfSeed } from 'openperp/client'
import { createExchange, type EmbeddedExchange, refusalOf } from 'openperp/embed'

const exchange: EmbeddedExchange = createExchange({ markets: ['BTC'], clock: 'manual', seed: 7 })
const alice: Client = await exchange.client('alice')
const price = '95000'
const order = { symbol: 'BTC', price, amount: '1', tif: 'GTC', reduce_only: false } as const
const { order_id } = await alice.createOrder({ ...order, side: 'bid' })
export const id: number = order_id
// @ts-expect-error a side is bid or ask
await alice.createOrder({ ...order, side: 'buy' })
// @ts-expect-error an id is a number
export const text: string = order_id
const signer = keyOfSeed(new Uint8Array(32))
export const other = new Client({ url: 'http://127.0.0.1:1', signer })
export { ApiRefusal, type Book, refusalOf }
`

use('strict TypeScript finds the types, and needs no others', async ({ folder }) => {
  writeFileSync(join(folder, 'typed.mts'), typed)
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  const whole = ['--noEmit', '--skipLibCheck', 'false', '--types', '', '--target', 'es2022']
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    const how = ['--module', module, '--moduleResolution', resolution]
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const all = [process.execPath, tsc, ...strict, ...whole, ...how, 'typed.mts']
    const checked = await run(all, { cwd: folder })
    assert.equal(checked.code, 0, `${resolution}: ${said(checked)}`)
  }
})

const older = `
import { Client, type CreateOrderRequest, type GetPositionsReply, newKey } from 'openperp/client'
const client = new Client({ url: 'http://127.0.0.1:1', signer: newKey() })
const size = { symbol: 'BTC', amount: '1', reduce_only: false }
const order: CreateOrderRequest = { ...size, side: 'bid', price: '1', tif: 'GTC' }
export async function go(): Promise<GetPositionsReply> {
  await client.createOrder(order, { signal: AbortSignal.timeout(10) })
  // @ts-expect-error a side is bid or ask
  await client.createOrder({ ...order, side: 'buy' })
  return client.getPositions()
}
console.log(typeof client.createOrder)
`

/** The last one that resolves modules as node10 did. */
const olderCompiler = 'typescript@5.9.3'

use('an older compiler finds the types too, for CommonJS modules as well', async ({ folder }) => {
  const place = join(folder, 'older')
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{"private":true}')
  writeFileSync(join(place, 'bot.ts'), older)
  const fetched = await run(npm('install', '--no-audit', '--no-fund', olderCompiler), {
    cwd: place,
  })
  assert.equal(fetched.code, 0, said(fetched))
  const tsc = join(place, 'node_modules', 'typescript', 'bin', 'tsc')
  const whole = ['--strict', '--target', 'es2022', '--lib', 'es2022,dom']
  for (const how of [
    ['--module', 'commonjs', '--moduleResolution', 'node10'],
    ['--module', 'es2022', '--moduleResolution', 'bundler'],
  ]) {
    const all = [process.execPath, tsc, '--noEmit', ...whole, ...how, 'bot.ts']
    const checked = await run(all, { cwd: place })
    assert.equal(checked.code, 0, `${how.join(' ')}: ${said(checked)}`)
  }
  const made = [process.execPath, tsc, ...whole, '--module', 'node16', 'bot.ts']
  assert.equal((await run(made, { cwd: place })).code, 0)
  const ran = await run([process.execPath, 'bot.js'], { cwd: place })
  assert.equal(ran.out, 'function\n', said(ran))
})

use('ES modules import it', async ({ folder }) => {
  const text = /```js\n([\s\S]*?)\n```/.exec(page)![1]!
  writeFileSync(join(folder, 'first.mjs'), `import 'openperp/client'\n${text}`)
  const ran = await run([process.execPath, 'first.mjs'], { cwd: folder })
  assert.deepEqual([ran.out, ran.errors], ['bid 0.1 95000\n', ''], said(ran))
})

use('CommonJS requires it, without a warning', async ({ folder }) => {
  writeFileSync(join(folder, 'first.cjs'), `require('openperp/client')\n${printed('cjs')}\n`)
  const ran = await run([process.execPath, 'first.cjs'], { cwd: folder })
  assert.deepEqual([ran.out, ran.errors], ['open\n', ''], said(ran))
})

/** The runner of the clone, as if it were installed here. */
function borrow(folder: string, name: string): void {
  symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'dir')
}

use('vitest runs it without settings', async ({ folder }) => {
  borrow(folder, 'vitest')
  writeFileSync(join(folder, 'first.test.ts'), printed('ts'))
  const vitest = join('node_modules', 'vitest', 'vitest.mjs')
  const ran = await run([process.execPath, vitest, 'run', 'first.test.ts'], { cwd: folder })
  assert.equal(ran.code, 0, said(ran))
  assert.match(ran.out, /an order is filled|1 passed/)
})

use('jest runs it with the settings that are documented', async ({ folder }) => {
  borrow(folder, 'jest')
  writeFileSync(join(folder, 'second.test.mjs'), printed('mjs'))
  writeFileSync(join(folder, 'jest.config.json'), printed('json'))
  const jest = join('node_modules', 'jest', 'bin', 'jest.js')
  const env = { NODE_OPTIONS: '--experimental-vm-modules' }
  const ran = await run([process.execPath, jest], { cwd: folder, env })
  assert.equal(ran.code, 0, said(ran))
  assert.match(ran.errors, /1 passed/)
})

use('a bundler for browsers loads modules without anything of Node', async ({ folder }) => {
  const contents = "import { Client, newKey } from 'openperp/client'\nconsole.log(Client, newKey)"
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    logLevel: 'silent',
  })
  assert.doesNotMatch(outputFiles[0]!.text, /from ?"(?:node:|ws")/)
})
