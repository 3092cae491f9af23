// What files of browser tests import instead of `node:test`. On a machine without a browser a file
// is one skipped test whose reason says how to get one, and nothing is started for it; with
// OPENPERP_REQUIRE_BROWSER=1 the same is a failure.

import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { chosenBrowser, howToGetOne } from './chosen-browser.ts'

type Hook = () => unknown
type Body = (t: runner.TestContext) => unknown

let running: runner.TestContext | null = null

const missing = chosenBrowser().kind === 'none'
const required = process.env.OPENPERP_REQUIRE_BROWSER === '1'

if (missing)
  runner.test('browser tests', { skip: required ? false : howToGetOne }, () =>
    assert.fail(howToGetOne),
  )

export function test(title: string, body: Body): void {
  if (missing) return
  runner.test(title, async (t) => {
    running = t
    try {
      await body(t)
    } finally {
      running = null
    }
  })
}

/** Does the work when the test that is running ends; for none that is, never. */
export function whenTestEnds(work: Hook): void {
  running?.after(async () => void (await work()))
}

export function before(hook: Hook): void {
  if (!missing) runner.before(async () => void (await hook()))
}

export function after(hook: Hook): void {
  if (!missing) runner.after(async () => void (await hook()))
}
