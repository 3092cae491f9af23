// `npm test [-- pattern…]`: set-up, formatter and linter, types of the zones that have their own
// tsconfig, then node's runner on the build. A pattern keeps the test files whose path contains it;
// the steps before the tests always run, because a pattern must not hide a broken build.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ready } from './ready.mjs'
import { runnerArguments } from './runner.mjs'

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

// `ci` never writes, and unlike `check` it has no flag by which it could.
const colors = process.stdout.isTTY ? [] : ['--colors=off']
const biome = ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', ...colors, '.']
step('format and lint', biome)

step('types of src/web', ['node_modules/typescript/bin/tsc', '-p', 'src/web'])

// These zones compile without Node or DOM types, so that a timer, a file or `console` in them does
// not compile. The compiler calls a zone without sources an error; for us it is only early.
for (const zone of ['src/units', 'src/core']) {
  const sources = filesUnder(zone, '.ts').filter((name) => !name.endsWith('.test.ts'))
  if (sources.length === 0) continue
  step(`types of ${zone}`, ['node_modules/typescript/bin/tsc', '-p', zone])
}

const wanted = process.argv.slice(2).filter((flag) => flag !== '--')
const files = filesUnder('dist', '.test.js')
  .filter((name) => wanted.length === 0 || wanted.some((pattern) => name.includes(pattern)))
  .sort()
  .map((name) => `dist/${name}`)
if (files.length === 0) {
  // With no file named, node's runner would go looking for tests by itself and run them all.
  console.error(`openperp: no test file matches ${wanted.join(' ') || 'anything'}`)
  process.exit(1)
}
step('tests', runnerArguments(files))
