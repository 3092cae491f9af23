import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routeSchemas } from './route-schemas.ts'
import { pathField, routeNames, routes } from './routes.ts'
import { signingTypes } from './signing-types.ts'

test('the marks of a route agree with its schemas', () => {
  for (const name of routeNames) {
    const { ofAccount, csv, wraps, http } = routes[name]

    const { request, reply } = routeSchemas[name] as never as Record<string, Schema>
    const inPath = pathField(http)
    assert.ok(inPath === null || request!.required?.includes(inPath), name)
    assert.equal(ofAccount, request!.required?.includes('account') === true, name)
    assert.equal(csv, 'format' in (request!.properties ?? {}), name)
    const fields = Object.keys(reply!.properties ?? {})
    assert.equal(wraps === 'page', fields.includes('next_cursor'), name)
    const says = fields.includes('rows') && fields.includes('last_order_id')
    // A page may say it too.
    if (wraps !== 'page') assert.equal(wraps === 'as_of', says)
    assert.match(http, /^(GET \/[a-z_/]+(\{[a-z_]+\})?|POST \/[a-z_/]+)$/)
  }
})

type Schema = Readonly<{ properties?: object; required?: readonly string[] }>

test('every text that can be signed is for a route, but for five of their own', () => {
  const signed = routeNames.flatMap((name) => routes[name].signs ?? [])
  const made = ['subaccount_initiate', 'subaccount_confirm', 'cancel_on_disconnect']
  // A batch is signed as one, or in each of its actions.
  made.push('batch_orders')
  // A signed read of any route (docs/api/signing.md).
  made.push('read_account')
  assert.deepEqual([...signed, ...made].sort(), [...signingTypes].sort())
})

test('no two routes have the same address', () => {
  const addresses = routeNames.map((name) => routes[name].http)
  assert.equal(new Set(addresses).size, addresses.length)
})
