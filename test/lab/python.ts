// The Python package at work, with the figures that docs/testing.md requires: a suite of tests with
// resets, a bot in virtual time, a book under lost connections.

import { runPython } from '../support/lab/python.ts'
import { number } from '../support/program/options.ts'
import { programOptions } from '../support/program/program.ts'

const { tests, runs, seconds } = programOptions({
  name: 'lab/python',
  about:
    'A suite of Python tests that each take a fresh venue, an asyncio bot in virtual time that ' +
    'must repeat, and a book that is rebuilt while connections drop. Prints wall and processor ' +
    'time. Exits with code 1 if a test fails, a hash differs, or the book is wrong or crossed.',
  options: {
    tests: number(50, 'tests of the suite'),
    runs: number(10, 'runs of the bot, an hour with 720 requests each'),
    seconds: number(600, 'seconds for which the book is followed'),
  },
})

let failed = false
for (const [script, count] of [
  ['suite', tests],
  ['hour', runs],
  ['book', seconds],
] as const)
  failed = (await runPython(script, [`${count}`], (text) => process.stdout.write(text))) || failed
process.exitCode = failed ? 1 : 0
