// The table of routes, which clients are made from, against the served routes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiOperations } from '../../src/gateway/routes/all-operations.ts'
import { routeNames, routes } from '../../src/protocol/routes.ts'

test('exactly the routes of the table are served', () => {
  const served = apiOperations('sandbox').map(({ name, http, signs }) => ({ name, http, signs }))
  const table = routeNames.map((name) => {
    const { http, signs } = routes[name]
    return { name, http, signs }
  })
  const byName = (one: { name: string }, other: { name: string }) =>
    one.name < other.name ? -1 : 1
  assert.deepEqual(served.toSorted(byName), table.toSorted(byName))
})
