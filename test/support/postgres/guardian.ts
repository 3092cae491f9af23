// Outlives the tests that start databases, by a moment: when they end, however they do, it kills
// what they have left and removes their folder. Each process is announced on its standard input,
// which closes with the tests.

import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { signalTree } from './process-tree.ts'

const [root] = process.argv.slice(2)
const alive = new Set<number>()
// A Ctrl-C is for the tests; we come after them.
process.on('SIGINT', () => undefined)
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [what, pid] = line.split(' ')
    if (what === 'started') alive.add(Number(pid))
    else alive.delete(Number(pid))
  })
  .on('close', () => {
    for (const pid of alive) signalTree(pid, 'SIGKILL')
    rmSync(root!, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })
