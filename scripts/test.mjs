// `npm test [-- pattern…]`: set-up, formatter and linter, types of the zones that have their own
// tsconfig, then node's runner on the build. A pattern keeps the test files whose path contains it;
// the steps before the tests always run, because a pattern must not hide a broken build.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ready } from './ready.mjs'
import { runnerArguments } from './runner.mjs'
import { together } from './together.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
ready()

function step(title, args) {
  const done = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (done.status === 0) return
  console.error(`openperp: ${title} failed (${done.error?.message ?? done.signal ?? done.status})`)
  process.exit(done.status || 1)
}

const filesUnder = (folder, ending) =>
  readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(ending))

/** The same for steps that need nothing of one another; each says what it says in one piece. */
async function steps(titles) {
  const failed = await Promise.all(
    Object.entries(titles).map(async ([title, args]) => {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => {
          said += text
        })
      const [status, signal] = await once(child, 'close')
      process.stdout.write(said)
      if (status !== 0) console.error(`openperp: ${title} failed (${signal ?? status})`)
      return status !== 0
    }),
  )
  if (failed.includes(true)) process.exit(1)
}

// `ci` never writes, and unlike `check` it has no flag by which it could.
const colors = process.stdout.isTTY ? ['--colors=force'] : ['--colors=off']
const biome = ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', ...colors, '.']
// By default four threads check, and each works out the types anew that it shares with the others.
const types = (zone) => ['node_modules/typescript/bin/tsc', '-p', zone, '--checkers', '1']
const checks = { 'format and lint': biome, 'types of src/web': types('src/web') }

// These zones compile without Node or DOM types, so that a timer, a file or `console` in them does
// not compile. The compiler calls a zone without sources an error; for us it is only early.
for (const zone of ['src/units', 'src/core']) {
  const sources = filesUnder(zone, '.ts').filter((name) => !name.endsWith('.test.ts'))
  if (sources.length > 0) checks[`types of ${zone}`] = types(zone)
}
await steps(checks)

const wanted = process.argv.slice(2).filter((flag) => flag !== '--')
const files = filesUnder('dist', '.test.js')
  .filter((name) => wanted.length === 0 || wanted.some((pattern) => name.includes(pattern)))
  .sort()
if (files.length === 0) {
  // With no file named, node's runner would go looking for tests by itself and run them all.
  console.error(`openperp: no test file matches ${wanted.join(' ') || 'anything'}`)
  process.exit(1)
}
step('tests', runnerArguments(together('dist', files)))
