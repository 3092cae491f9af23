import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pages, pathOf, placeAt } from './pages.ts'

test('the address of each page leads back to it', () => {
  for (const { page } of pages) {
    const symbol = page === 'trade' ? 'kPEPE-2' : null
    assert.deepEqual(placeAt(pathOf(page, 'kPEPE-2')), { page, symbol })
    assert.deepEqual(placeAt(`${pathOf(page, 'kPEPE-2')}/`), { page, symbol })
  }
  assert.deepEqual(placeAt('/'), { page: 'trade', symbol: null })
})

test('an address outside the terminal has no place', () => {
  for (const path of ['/docs', '/status', '/trade', '/markets/BTC', '/trade/a/b', '/trade/%2e', ''])
    assert.equal(placeAt(path), null, path)
})
