// What files of tests with databases import instead of `node:test`. Where there are no binaries a
// file is one skipped test whose reason says why, and nothing is started for it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as runner from 'node:test'
import { whyNoDatabases } from './binaries.ts'
import { Databases } from './databases.ts'

const missing = whyNoDatabases()
if (missing !== null) runner.test('tests with databases', { skip: missing }, () => undefined)

/** A failure says what the databases had to say, too. */
export function test(title: string, body: (t: runner.TestContext) => Promise<void>): void {
  if (missing !== null) return
  runner.test(title, async (t) => {
    try {
      await body(t)
    } catch (error) {
      if (error instanceof Error) error.stack += `\n${lastSaid()}`
      throw error
    }
  })
}

const shared: Databases[] = []
const lastSaid = () =>
  shared
    .flatMap(({ all }) => all.map((database) => `${database.name} said: ${database.lastSaid()}`))
    .join('\n')

/** They run from before the first test of the file until after the last. */
export function sharedDatabases(count: 1 | 2 | 3 = 3): Databases {
  const databases = new Databases(count)
  if (missing !== null) return databases
  shared.push(databases)
  runner.before(() => databases.begin())
  runner.after(() => databases.close())
  return databases
}

/** For what the tests of the file leave on disk. */
export function sharedFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `openperp-${name}-`))
  runner.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
