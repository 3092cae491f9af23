// `openperp/client` from outside: in a browser, and in a program that depends on the package.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const child = fileURLToPath(new URL('../support/client/browser-child.js', import.meta.url))

type ChildOutput = Readonly<{
  loaded: readonly Readonly<{ url: string; bytes: number }>[]
  fills: readonly string[]
  refused: string
}>

test('without Node modules it loads, signs, trades and receives its own fills', async () => {
  const live = await frozenSandbox(['--reads', 'owner'])
  try {
    await live.price('BTC', '100000')
    const maker = await live.trader()
    await live.order(maker, { symbol: 'BTC', side: 'ask', price: '100000', amount: '1' })
    const { stdout } = await run(process.execPath, [child, live.url], { timeout: 180_000 })
    const { loaded, fills, refused } = JSON.parse(stdout) as ChildOutput
    assert.deepEqual([fills, refused], [['BTC 0.001'], 'ApiRefusal'])
    const packages = loaded.flatMap(
      ({ url }) => /node_modules\/((?:@\w+\/)?\w+)/.exec(url)?.[1] ?? [],
    )
    assert.deepEqual([...new Set(packages)].sort(), [
      '@noble/curves',
      '@noble/hashes',
      '@scure/base',
    ])
    assert.ok(!loaded.some(({ url }) => /schemas|fields\.js/.test(url)), 'schemas were loaded')
    const own = loaded.filter(({ url }) => url.includes('/dist/src/'))
    const bytes = own.reduce((sum, each) => sum + each.bytes, 0)
    assert.ok(own.length > 10 && bytes < 190_000, `${own.length} files, ${bytes} bytes of our own`)
  } finally {
    await live.close()
  }
})

const program = `
import { ApiRefusal, Client, keyOfSeed, type Frame } from 'openperp/client'

const client = new Client({ url: 'http://127.0.0.1:9', signer: keyOfSeed(new Uint8Array(32)) })
export async function trade(): Promise<string | null> {
  const { order_id } = await client.createOrder({
    symbol: 'BTC', side: 'bid', price: '1', amount: '1', tif: 'GTC', reduce_only: false,
    client_order_id: undefined,
  })
  const id: number = order_id
  // @ts-expect-error a number is not a decimal
  await client.withdraw({ amount: 1 })
  // @ts-expect-error there is no such side
  await client.previewOrder({ symbol: 'BTC', side: 'buy', amount: '1', reduce_only: false })
  client.stream().subscribe('bbo', { symbol: 'BTC' }, ({ data }: Frame<'bbo'>) => data.b)
  // @ts-expect-error a candle has an interval
  client.stream().subscribe('candle', { symbol: 'BTC' }, () => undefined)
  return \`\${id} \${ApiRefusal.name}\`
}
console.log(typeof client.createOrder, client.account)
`

const settings = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: [],
    skipLibCheck: true,
  },
  files: ['program.mts'],
}

test('a program that depends on the package compiles strictly, and runs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-user-'))
  try {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules', 'openperp'), 'junction')
    writeFileSync(join(folder, 'program.mts'), program)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const options = { cwd: folder, timeout: 180_000 }
    const compiled = await run(process.execPath, [compiler, '-p', '.'], options).catch(
      (error: { stdout: string }) => assert.fail(error.stdout),
    )
    assert.equal(compiled.stdout, '')
    const { stdout } = await run(process.execPath, ['program.mjs'], options)
    assert.equal(stdout, 'function 4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
