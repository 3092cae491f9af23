// The served operations and their documentation are the same, in both directions.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { adminOperations } from '../../src/gateway/admin/admin-operations.ts'
import { apiOperations, ccxtOperations } from '../../src/gateway/routes/all-operations.ts'
import type { Row } from '../support/http/api-client.ts'
import { liveExchange } from '../support/http/live-exchange.ts'
import { type OpenApi, Published } from '../support/http/published.ts'
import { rawRequest } from '../support/http/raw-request.ts'

const live = await liveExchange()
after(() => live.close())
const { published } = live.api

/** The tests run from the build, one folder deeper than the sources. */
const textOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

const served = [
  ...apiOperations('sandbox').map(({ http }) => http.replace(' /', ' /api/v1/')),
  ...ccxtOperations('sandbox').map(({ http }) => http.replace(' /', ' /ccxt/api/v1/')),
  'GET /status',
]

test('the OpenAPI document lists exactly the served operations', () => {
  assert.equal(published.document.openapi, '3.1.0')
  assert.deepEqual(published.routes().sort(), [...served].sort())
  const ids = Object.values(published.document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  assert.equal(new Set(ids).size, ids.length, 'operation ids are unique')
})

test('every documented route is served and not 404', async () => {
  for (const route of published.routes()) {
    const [method, path] = route.split(' ') as [string, string]
    const body = method === 'POST' ? { body: '{}' } : {}
    const headers = { 'content-type': 'application/json', origin: 'https://page.example' }
    const ask = () => rawRequest(`${live.url}${path}`, { method, headers, ...body })
    let { status, text } = await ask()
    // On a slow machine the history may lag for a while, and the reply says so.
    while (status === 503 && text.includes('caught up')) ({ status, text } = await ask())
    assert.notEqual(status, 404, route)
    assert.ok(status < 500, `${route}: ${text}`)
    published.check(method, path, status, JSON.parse(text))
  }
})

test('signed reads are accepted by exactly the operations that document them', async () => {
  const { components, paths } = published.document as unknown as {
    components: { securitySchemes: Row }
    paths: Readonly<Record<string, Readonly<Record<string, Row>>>>
  }
  const { signed_read, api_key } = components.securitySchemes as Record<string, Row>
  assert.deepEqual([signed_read?.in, api_key?.in], ['header', 'header'])
  const takes = async (route: string, header: string) => {
    const [method, path] = route.split(' ') as [string, string]
    const headers = { 'content-type': 'application/json', [header]: 'no proof' }
    const body = method === 'POST' ? { body: '{}' } : {}
    const { status, text } = await rawRequest(`${live.url}${path}`, { method, headers, ...body })
    return status >= 400 && /a signed read is account=|INVALID_API_KEY/.test(text)
  }
  for (const route of published.routes().filter((each) => each !== 'GET /status')) {
    const [method, path] = route.split(' ') as [string, string]
    const security = paths[path]![method.toLowerCase()]!.security as readonly Row[]
    const isNamed = (scheme: string) => security.some((each) => scheme in each)
    assert.equal(await takes(route, String(signed_read!.name)), isNamed('signed_read'), route)
  }
  assert.ok(await takes('GET /api/v1/info', String(api_key!.name)))
})

test('the reference page shows every operation once', async () => {
  const page = await (await fetch(`${live.url}/docs`)).text()
  const shown = [...page.matchAll(/<h2 id="(\w+)"><code>((?:GET|POST) [^<]+)<\/code>/g)]
  assert.deepEqual(
    shown.map(([, name, http]) => `${name} ${http}`).sort(),
    apiOperations('sandbox')
      .map(({ name, http }) => `${name} ${http}`)
      .sort(),
  )
})

test('the admin OpenAPI document lists exactly the served operations', async () => {
  const reply = await fetch(`${live.adminUrl}/openapi.json`)
  assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8')
  const document = new Published((await reply.json()) as OpenApi)
  const routes = document.routes().sort()
  assert.deepEqual(routes, adminOperations.map(({ http }) => http).sort())
  for (const { name, http, scope, request } of adminOperations) {
    const [method, path] = http.split(' ') as [string, string]
    const described = document.document.paths[path]![method.toLowerCase()] as unknown as Row
    assert.deepEqual([described.operationId, described['x-scope']], [name, scope])
    if (method === 'POST') {
      const { content } = described.requestBody as { content: Record<string, { schema: Row }> }
      const fields = Object.keys(content['application/json']!.schema.properties as Row)
      assert.deepEqual(fields, [...Object.keys((request as Row).properties as Row), 'reason'])
    }
    // Without a token nothing is executed, and an unknown route would be 404.
    const { status, text } = await rawRequest(`${live.adminUrl}${path}`, { method })
    assert.equal(status, 401, http)
    document.check(method, path, status, JSON.parse(text))
  }
  const names = adminOperations.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length, 'operation ids are unique')
  const strange = { headers: { host: 'rebound.example' } }
  assert.equal((await rawRequest(`${live.adminUrl}/openapi.json`, strange)).status, 403)
})

/** Table rows of a document, without header rows. */
function rowsOf(markdown: string): string[][] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('|---'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}
const codeIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)

test('running.md lists exactly the admin routes and their scopes', () => {
  const rows = rowsOf(textOf('docs/operating/running.md')).filter((row) =>
    /^`(GET|POST) \//.test(row[0] ?? ''),
  )
  const documented = rows.flatMap(([routes, scopes]) => {
    let method = ''
    let parent = ''
    const named = codeIn(routes!).map((route) => {
      const [, verb, path] = /^(?:(GET|POST) )?(\/\S+)$/.exec(route)!
      if (verb !== undefined) method = verb
      // `/change` after `POST /markets/list` is its sibling.
      const whole = verb === undefined && path!.lastIndexOf('/') === 0 ? parent + path : path!
      parent = whole.slice(0, whole.lastIndexOf('/'))
      return `${method} ${whole}`
    })
    const each = scopes!.split(', ')
    return named.map((route, at) => `${route} ${each[Math.min(at, each.length - 1)]}`)
  })
  const served = adminOperations.map(({ http, scope }) => `${http} ${scope ?? 'any'}`)
  assert.deepEqual(documented.sort(), served.sort())
})

test('the documented contract is the implemented one', () => {
  const contract = textOf('docs/api/contract.md')
  const routes = [...contract.matchAll(/(GET|POST) (\/api\/v1\/\S+)/g)].map(
    ([, method, path]) => `${method} ${path}`,
  )
  assert.equal(new Set(routes).size, 8)
  for (const route of routes) assert.ok(served.includes(route as never), route)
})
