// The declarations of the typed client, as built: what an editor shows of them, that all are
// documented, and that they are the types that the compiler derives from the schemas.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { methodName } from '../../src/client/methods.ts'
import { type Field, fieldsOf, type Schema } from '../../src/gateway/documents/fields.ts'
import { apiOperations } from '../../src/gateway/routes/all-operations.ts'
import { routeSchemas } from '../../src/protocol/route-schemas.ts'
import { type RouteName, routeNames } from '../../src/protocol/routes.ts'
import { allSources } from '../../src/protocol/streams/channels.ts'
import { exportsOf, type Member, membersOf } from '../support/client/declared-members.ts'
import { LanguageServer } from '../support/client/language-server.ts'

const place = fileURLToPath(new URL('../../src/client/', import.meta.url))
const root = fileURLToPath(new URL('../../../', import.meta.url))
const entry = join(place, 'index.d.ts')
const methods = join(place, 'methods.d.ts')

function publicMembers(): readonly Member[] {
  const named = [...exportsOf(entry)].filter(([file]) => file !== methods)
  const caller = membersOf(join(place, 'client.d.ts'), new Set(['Caller']))
  return [...named.flatMap(([file, names]) => membersOf(file, names)), ...caller].concat(
    membersOf(methods, null),
  )
}

test('every method is documented, and at least 95 of 100 fields', () => {
  const members = publicMembers()
  const missing = (kind: string) =>
    members
      .filter((each) => each.kind === kind && !each.documented)
      .map(({ file, line, name }) => `${file.slice(place.length)}:${line} ${name}`)
  const count = (kind: string) => members.filter((each) => each.kind === kind).length
  assert.ok(count('method') > 110 && count('field') > 1_000, `${count('method')} ${count('field')}`)
  assert.deepEqual(missing('method'), [])
  const share = missing('field').length / count('field')
  assert.ok(share <= 0.05, `${missing('field').length} of ${count('field')}: ${missing('field')}`)
})

test('a member without a comment is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-members-'))
  const file = join(folder, 'some.d.ts')
  const text = `/** One. */
export interface One {
  /** Said. */
  said: string
  plain?: number
  request(fields: {
    inner: string
  }): void
}
interface Other {
  hidden: string
}
`
  writeFileSync(file, text)
  const found = membersOf(file, null).map(({ name, kind, documented }) => [name, kind, documented])
  rmSync(folder, { recursive: true })
  assert.deepEqual(found, [
    ['said', 'field', true],
    ['plain', 'field', false],
    ['request', 'method', false],
  ])
})

const plain = (text: string) => text.replaceAll(/\s*\n\s*\*?\s*/g, ' ')

test('the declarations describe each operation and field as the reference does', () => {
  const text = plain(readFileSync(methods, 'utf8'))
  for (const { name: operation, summary } of apiOperations('sandbox')) {
    const name = operation as RouteName
    assert.ok(text.includes(`${summary}. \`${name}\`,`) || text.includes(`${summary}.`), name)
    assert.ok(text.includes(` ${methodName(name)}(fields`), name)
    const { request, reply } = routeSchemas[name]
    const own = name === 'batch_orders' || name === 'create_subaccount'
    const said: readonly Field[] = [
      ...(own ? [] : fieldsOf(request as Schema)),
      ...fieldsOf(reply as Schema),
    ]
    for (const { path, meaning } of said) {
      if (['account', 'format', 'rows'].includes(path)) continue
      assert.ok(text.includes(meaning.trimEnd().replace(/\.$/, '')), `${name} ${path}`)
    }
  }
})

/** Both are assignable to one another for each name: written types and those of the schemas. */
function comparison(): string {
  const both = (type: string, names: readonly string[]) =>
    names.map((name) => `  same<Written.${type}<'${name}'>, Mapped.${type}<'${name}'>>(true)`)
  const lines = [
    ...both(
      'FieldsOf',
      routeNames.filter((name) => !/^(batch_orders)$/.test(name)),
    ),
    ...both('ReplyOf', routeNames),
    ...both('DataOf', allSources),
    ...both('OfSource', allSources),
  ]
  const method = (name: RouteName) => methodName(name)
  const calls = routeNames.map(
    (name) =>
      `  same<Parameters<Written.Methods['${method(name)}']>['length'], ` +
      `Parameters<Mapped.Methods['${method(name)}']>['length']>(true)`,
  )
  return `import type * as Mapped from '${place}mapped-methods.d.ts'
import type * as Written from '${methods}'
// Some words are written out where the schema library has them as strings.
type Wide<T> = T extends string
  ? string
  : T extends (infer Row)[]
    ? Wide<Row>[]
    : T extends number
      ? number
      : T extends object
      ? { [K in keyof T]: Wide<T[K]> }
      : T
type Fits<A, B> = [A] extends [B] ? ([Wide<B>] extends [Wide<A>] ? true : false) : false
declare function same<A, B>(fits: Fits<A, B>): void
export function compared(): void {
${[...lines, ...calls].join('\n')}
  same<Written.RouteName, Mapped.RouteName>(true)
  same<Written.PageName, Mapped.PageName>(true)
  same<Written.CsvName, Mapped.CsvName>(true)
  same<Written.WsName, Mapped.WsName>(true)
  same<Written.Source, Mapped.Source>(true)
  same<Written.BatchAction, Mapped.BatchAction>(true)
}
`
}

test('they are the types that the compiler derives from the schemas', () => {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-compared-'))
  const file = join(folder, 'compared.mts')
  writeFileSync(file, comparison())
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const flags = [
    '--noEmit',
    '--ignoreConfig',
    '--strict',
    '--module',
    'nodenext',
    '--skipLibCheck',
    '--types',
    '',
  ]
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...flags, file], {
    cwd: root,
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  assert.equal(status, 0, stdout.slice(0, 4_000))
})

/** Methods whose hover text the run prints, with something that it has to contain. */
const shownMethods = {
  createOrder: /CreateOrderRequest[\s\S]*POST \/orders\/create/,
  cancelOrder: /CancelOrderRequest[\s\S]*POST \/orders\/cancel/,
  setPositionTpsl: /take-profit and stop-loss levels[\s\S]*POST \/positions\/tpsl/,
  getFundingHistory: /GET \/funding\/history/,
  subscribe: /Source/,
}

test('an editor shows the documentation of a method, a field and a reply', async (t) => {
  const text = `import { Client, type CreateOrderRequest } from ${JSON.stringify(entry)}
declare const client: Client
declare const order: CreateOrderRequest
client.createOrder(order)
client.cancelOrder
client.setPositionTpsl
client.getFundingHistory
client.stream().subscribe
client.createMarketOrder
client.cancelAllOrders
client.getTradeHistory
client.getLiquidations
client.withdraw
client.rows('get_trade_history', {})
order.reduce_only
`
  const server = await LanguageServer.open(root, text)
  try {
    const hovers: Record<string, string> = {}
    for (const [at, line] of text.split('\n').entries()) {
      const word = /\.(\w+)(?!.*\(\)\.)/.exec(line)
      if (at > 2 && word !== null) hovers[word[1]!] = await server.hover(at, word.index + 2)
    }
    const { reduce_only, ...methods } = hovers
    assert.match(reduce_only!, /The order may only reduce the position/)
    for (const [name, hover] of Object.entries(methods))
      if (name !== 'subscribe') assert.match(hover, /@throws.*ApiRefusal/, name)
    for (const [name, says] of Object.entries(shownMethods)) {
      t.diagnostic(`${name}: ${hovers[name]}`)
      assert.match(hovers[name]!, says, name)
    }
  } finally {
    server.close()
  }
})
