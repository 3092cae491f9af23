// Every command of the handbook exists, with its flags: an operator copies them on a bad day. Those
// of the admin plane are run against a port without a listener, so that all of them is parsed and
// nothing is done.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { allCommands } from '../../src/main/command-line.ts'
import { openperp } from '../support/cli/run-openperp.ts'

const folder = fileURLToPath(new URL('../../../docs/operating/', import.meta.url))
const pages = ['bad-day.md', 'every-day.md', 'one-machine.md', 'watching.md']
const textOf = (page: string) => readFileSync(folder + page, 'utf8')

/** As a shell reads a line: words, and what stands between quotes as one. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)

/** Lines of blocks are whole; within a sentence a command may be named only. */
const found = (pattern: RegExp) =>
  pages.flatMap((page) =>
    [...textOf(page).matchAll(pattern)].map(([, line]) => ({ page, line: line! })),
  )
const whole = found(/^openperp (.+)$/gm)
const named = found(/`openperp ([^`…]+)`/g)

test('every command of the handbook is there, and its flags are', async () => {
  assert.ok(whole.length > 40 && named.length > 20)
  for (const { page, line } of [...whole, ...named]) {
    const [name, ...words] = wordsOf(line)
    const command = allCommands.find((each) => each.name === name)
    assert.ok(command !== undefined, `${page}: openperp ${line}`)
    if (command.raw || name === 'admin') continue
    for (const word of words.filter((each) => each.startsWith('--')))
      assert.ok(word.slice(2) in command.options, `${page}: openperp ${line}: ${word}`)
  }
})

test('commands of the admin plane are parsed completely', async () => {
  const environment = {
    OPENPERP_ADMIN_TOKEN: 'token-of-nobody',
    OPENPERP_ADMIN_URL: 'http://127.0.0.1:1',
  }
  const admin = whole.filter(({ line }) => line.startsWith('admin '))
  assert.ok(admin.length > 30)
  for (const { page, line } of admin) {
    const words = wordsOf(line)
    const isDone = words.includes('--reason') && !words.includes('--dry-run')
    const { code, err } = await openperp(isDone ? [...words, '--yes'] : words, { environment })
    // It works on files, which are not here.
    const ofFiles = line.startsWith('admin token rotate ')
    if (ofFiles) assert.match(err, /the file of tokens \/etc\/openperp\/tokens/)
    assert.equal(code, ofFiles ? 2 : 3, `${page}: openperp ${line}: ${err}`)
  }
})
