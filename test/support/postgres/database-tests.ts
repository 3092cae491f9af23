// What files of tests with databases import instead of `node:test`. Where there are no binaries a
// file is one skipped test whose reason says why, and nothing is started for it.

import * as runner from 'node:test'
import { whyNoDatabases } from './binaries.ts'

const missing = whyNoDatabases()
if (missing !== null) runner.test('tests with databases', { skip: missing }, () => undefined)

export function test(title: string, body: (t: runner.TestContext) => Promise<void>): void {
  if (missing === null) runner.test(title, body)
}

export function before(hook: () => Promise<void>): void {
  if (missing === null) runner.before(hook)
}

export function after(hook: () => Promise<void>): void {
  if (missing === null) runner.after(hook)
}
