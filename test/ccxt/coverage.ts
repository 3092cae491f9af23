// Fails if a method or an endpoint of the class was left out. Runs last: it reads the calls of the
// tests before it.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import ccxt from 'ccxt'
import { desk } from '../support/ccxt/shared-desk.ts'
import type { Row } from '../support/http/api-client.ts'

/** Methods of the class that no test calls by name. */
const left: Readonly<Record<string, string>> = {
  handleBuilderFeeApproval: 'a step of initializeClient',
}

/** Products that this exchange does not have: spot, lending, vaults, builders, referrals. Reads of
 *  the first three are served, and empty; one of a spot asset has nothing to name. */
const otherProducts = { GET: /builder|\{symbol\}/, POST: /^lake|spot|lend|builder|referral/ }

const textOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const isAsync = (value: unknown) => value?.constructor.name === 'AsyncFunction'

/** Methods of the class itself, and those that it claims to have. */
function methodsOf(client: object, has: Row): Set<string> {
  const own: string[] = []
  for (
    let level = Object.getPrototypeOf(client);
    level.constructor.name === 'pacifica' && level.describe !== undefined;
    level = Object.getPrototypeOf(level)
  )
    own.push(...Object.getOwnPropertyNames(level).filter((name) => isAsync(level[name])))
  const claimed = Object.keys(has).filter((name) => has[name] && isAsync((client as Row)[name]))
  return new Set([...own, ...claimed])
}

test('no method of the class is omitted without a reason', () => {
  const client = new ccxt.pro.pacifica()
  const methods = methodsOf(client, client.has as Row)
  assert.ok(methods.size > 70, String(methods.size))
  const { used } = desk
  const missed = [...methods].filter((name) => !used.has(name) && left[name] === undefined)
  assert.deepEqual(missed, [])
  const stale = Object.keys(left).filter((name) => used.has(name) || !methods.has(name))
  assert.deepEqual(stale, [])
})

test('the page about ccxt names every method', () => {
  const page = textOf('docs/api/ccxt.md')
  const client = new ccxt.pro.pacifica()
  const named = [...methodsOf(client, client.has as Row)].filter((name) => !left[name])
  assert.deepEqual(
    named.filter((name) => !page.includes(`\`${name}\``)),
    [],
  )
  const { devDependencies } = JSON.parse(textOf('package.json'))
  assert.ok(page.includes(`Version ${devDependencies.ccxt} `), 'the page names another version')
})

test('every endpoint of the class is served, except for products that do not exist here', () => {
  const { api } = new ccxt.pacifica() as unknown as {
    api: Record<'public' | 'private', Record<string, Row>>
  }
  const paths = [
    ...Object.keys(api.public.get!).map((path) => `GET /ccxt/api/v1/${path}`),
    ...Object.keys(api.private.post!).map((path) => `POST /ccxt/api/v1/${path}`),
  ]
  const served = new Set(desk.live.api.published.routes())
  for (const route of paths) {
    const path = route.slice(route.indexOf('/v1/') + 4)
    const absent = route.startsWith('GET') ? otherProducts.GET : otherProducts.POST
    assert.equal(served.has(route), !absent.test(path), route)
  }
})
