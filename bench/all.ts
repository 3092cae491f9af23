// `npm run bench`: every bench in turn, each in a process of its own, with the flags that follow.
// Fails when one of them fails.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const flags = process.argv.slice(2)

for (const name of [
  'engine',
  'book/levels',
  'snapshot',
  'liquidations',
  'risk/liveness',
  'orders/expiry',
  'orders/makers',
  'orders/trailing',
  'orders/chases',
  'orders/batch',
  'paired/leader',
  'recovery',
  'pause',
  'history',
  'http',
  'embed',
  'running/sandbox-day',
]) {
  if (!flags.includes('--json')) console.log(`\n${name}\n`)
  const program = fileURLToPath(new URL(`${name}.js`, import.meta.url))
  const { status } = spawnSync(process.execPath, [program, ...flags], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
