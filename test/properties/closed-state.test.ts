// The state cannot be read or changed from outside the core: what would try does not compile. Each
// probe is a program for the compiler; of its lines those with a `✗` are refused, and no others.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const here = dirname(fileURLToPath(import.meta.url))
const root = here.slice(0, here.lastIndexOf(join('dist', 'test')))
const folder = mkdtempSync(join(tmpdir(), 'openperp-closed-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const doorPath = join(root, 'src', 'core', 'index.ts')

/** Numbers of the lines that the compiler refuses, and all that it says. */
async function refusedLines(name: string, lines: readonly string[]) {
  const file = join(folder, `${name}.mts`)
  writeFileSync(file, lines.join('\n').replaceAll('DOOR', doorPath))
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const strict = ['--strict', '--noEmit', '--skipLibCheck', '--types', '', '--lib', 'es2023']
  const how = ['--module', 'nodenext', '--target', 'es2023', '--allowImportingTsExtensions']
  const options = { cwd: folder, timeout: 120_000 }
  const said = await run(
    process.execPath,
    [tsc, ...strict, ...how, '--pretty', 'false', file],
    options,
  )
    .then(({ stdout }) => stdout)
    .catch((error: { stdout: string }) => error.stdout)
  const numbers = [...said.matchAll(/^[^\n(]*\((\d+),\d+\): error/gm)].map(([, line]) => +line!)
  return { numbers: [...new Set(numbers)].sort((one, other) => one - other), said }
}

async function checkProbe(name: string, lines: readonly string[]): Promise<void> {
  const marked = lines.flatMap((line, at) => (line.includes('✗') ? [at + 1] : []))
  const { numbers, said } = await refusedLines(name, lines)
  assert.deepEqual(numbers, marked, said)
}

test('the core exports no state, and its values give no access to it', () =>
  checkProbe('state', [
    `import { apply, createState, decodeState, encodeState, EventLog, viewOf } from 'DOOR'`,
    `import type { ClosedState, ExchangeView, Genesis, Sequenced } from 'DOOR'`,
    `import type { State } from 'DOOR' // ✗`,
    `import { OrderPool } from 'DOOR' // ✗`,
    `declare const genesis: Genesis`,
    `declare const sequenced: Sequenced`,
    `const state: ClosedState = createState(genesis)`,
    `apply(state, sequenced, new EventLog())`,
    `const view: ExchangeView = viewOf(decodeState(encodeState(state)))`,
    `state.accounts // ✗`,
    `state.seq // ✗`,
    `apply(view, sequenced, new EventLog()) // ✗`,
    `const forged: ClosedState = { seq: 1 } // ✗`,
    `export const kept = [forged, view.atMs]`,
  ]))

test('a write through the view does not compile', () =>
  checkProbe('writes', [
    `import type { ExchangeView } from 'DOOR'`,
    `declare const view: ExchangeView`,
    `const market = view.markets.named('BTC')!`,
    `const [position] = view.positions.of(4)`,
    `view.atMs = 1 as never // ✗`,
    `view.seq = 1 // ✗`,
    `view.mode = 'halted' // ✗`,
    `view.accounts = view.accounts // ✗`,
    `view.accounts.count = 1 // ✗`,
    `view.accounts.balanceOf = () => 0 as never // ✗`,
    `view.notes.set('bots', '') // ✗`,
    `view.symbols.delete('BTC') // ✗`,
    `view.markets.all().push(market) // ✗`,
    `view.markets.all()[0] = market // ✗`,
    `market.mark = 1 as never // ✗`,
    `market.params.leverageMax = 100 // ✗`,
    `market.params.tickSize.value = 1 // ✗`,
    `market.tiers.pop() // ✗`,
    `market.fundingRules.ratePpbMax = 1 // ✗`,
    `view.money.feeTiers[0]!.makerPpm = 0 as never // ✗`,
    `view.money.insurance.balance = 0 as never // ✗`,
    `position!.lots = 0 as never // ✗`,
    `view.orders.openOf(4)[0]!.price = 1 as never // ✗`,
    `view.books.depth(1, 10, 1).bids[0]!.lots = 1 as never // ✗`,
    `view.priceRules.goodTicks = 1 // ✗`,
    `view.state // ✗`,
    `view.accounts.state // ✗`,
  ]))

// Beyond the cases above, the compiler walks through every answer of every query, and names every
// field that could be written to.
test('no answer of the view, however deep, has a field that could be written to', async () => {
  const walk = [
    `type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? 1 : 0`,
    `type Writes<T, K extends keyof T> = Same<{ [Q in K]: T[K] }, { -readonly [Q in K]: T[K] }>`,
    `type Leaf = number | string | boolean | null | undefined | void`,
    `type Open<T, P extends string> = T extends Leaf ? never`,
    `  : T extends (...args: never[]) => infer R ? Open<R, \`\${P}()\`>`,
    `  : T extends ReadonlyMap<infer K, infer V>`,
    `    ? (T extends Map<K, V> ? P : Open<V, \`\${P}[]\`>)`,
    `  : T extends readonly (infer E)[] ? (T extends E[] ? P : Open<E, \`\${P}[]\`>)`,
    `  : { [K in keyof T & string]: Writes<T, K> extends 1 ? \`\${P}.\${K}\``,
    `      : Open<T[K], \`\${P}.\${K}\`> }[keyof T & string]`,
  ]
  const lines = [
    `import type { ExchangeView } from 'DOOR'`,
    ...walk,
    `type Found = Open<ExchangeView, 'view'>`,
    `const none: [Found] extends [never] ? true : Found = true`,
    `type Leaky = { readonly deep: () => readonly { readonly kept: { open: number } }[] }`,
    `const found: Open<Leaky, 'leaky'> = 'leaky.deep()[].kept.open'`,
    `const list: Open<{ readonly all: number[] }, 'list'> = 'list.all'`,
    `export const seen = [none, found, list]`,
  ]
  await checkProbe('walk', lines)
})
