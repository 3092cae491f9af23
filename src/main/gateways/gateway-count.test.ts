import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../config.ts'
import { gatewayCount } from './gateway-count.ts'

test('auto is one for each core but one, at most eight, and none on one or two cores', () => {
  const counts = [1, 2, 3, 4, 8, 9, 10, 64].map((cores) => gatewayCount('auto', cores))
  assert.deepEqual(counts, [0, 0, 2, 3, 7, 8, 8, 8])
  assert.equal(gatewayCount(3, 1), 3)
})

test('a sandbox has none by default, a venue as many as fit', () => {
  const read = (...flags: string[]) => readConfig(flags, {}, '/').gateways
  const venue = ['--mode', 'venue', '--admin-tokens', 'root:a-token-of-sixteen:read']
  assert.equal(read(), 0)
  assert.equal(read(...venue), 'auto')
  assert.equal(read('--gateways', '2'), 2)
  for (const wrong of ['-1', '65', 'many', '1.5'])
    assert.throws(
      () => read('--gateways', wrong),
      /--gateways must be a whole number from 0 to 64 or auto/,
    )
})
