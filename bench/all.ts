import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { flag } from '../test/support/program/options.ts'
import { programOptions } from '../test/support/program/program.ts'

/** Names and modules, in the order in which they run. */
const benches: Readonly<Record<string, string>> = {
  engine: 'engine',
  levels: 'book/levels',
  snapshot: 'snapshot',
  liquidations: 'liquidations',
  liveness: 'risk/liveness',
  expiry: 'orders/expiry',
  makers: 'orders/makers',
  trailing: 'orders/trailing',
  chases: 'orders/chases',
  batch: 'orders/batch',
  leader: 'paired/leader',
  recovery: 'recovery',
  pause: 'pause',
  history: 'history',
  http: 'http',
  embed: 'embed',
  'sandbox-day': 'running/sandbox-day',
}

const { words, json, check } = programOptions({
  name: 'bench/all',
  about:
    'The usual benchmarks, one after the other, each in its own process. Exits with code 1 if ' +
    'one of them fails. `npm run bench engine http` runs two of them.',
  words: {
    name: 'benchmark',
    about: 'only these',
    count: 'any',
    known: Object.keys(benches),
  },
  options: {
    json: flag('each prints one JSON object instead of text'),
    check: flag('exit with code 1 if a bar is missed'),
  },
})

const flags = [...(json ? ['--json'] : []), ...(check ? ['--check'] : [])]
for (const name of words.length > 0 ? words : Object.keys(benches)) {
  if (!json) console.log(`\n${name}\n`)
  const program = fileURLToPath(new URL(`${benches[name]}.js`, import.meta.url))
  const { status } = spawnSync(process.execPath, [program, ...flags], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
