// `npm run check`: formatter and linter, and types of the zones that have their own tsconfig.
// `npm test` does the same before its tests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ready } from './ready.mjs'

/** Paths below the folder. */
export const filesUnder = (folder, ending) =>
  readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(ending))

/** What has been checked since it was last built, so that it need not be checked again. */
const kept = (zone) => `dist/.checked-${zone.replaceAll('/', '-')}`

// By default four threads check, and each computes again the types that it shares with the others.
const types = (zone) => [
  ...['node_modules/typescript/bin/tsc', '-p', zone, '--checkers', '1'],
  ...['--incremental', '--tsBuildInfoFile', kept(zone)],
]

function steps(files) {
  const colors = process.stdout.isTTY ? '--colors=force' : '--colors=off'
  const found = { 'types of src/web': types('src/web') }
  // `ci` never writes, and unlike `check` it has no flag by which it could.
  const biome = ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', colors]
  const skip = ['--files-ignore-unknown=true', '--no-errors-on-unmatched']
  if (files.length > 0) found['format and lint'] = [...biome, ...skip, ...files]
  // These zones compile without Node or DOM types, so that a timer, a file or `console` in them
  // does not compile. The compiler calls a zone without sources an error; for us it is only early.
  for (const zone of ['src/units', 'src/core']) {
    const sources = filesUnder(zone, '.ts').filter((name) => !name.endsWith('.test.ts'))
    if (sources.length > 0) found[`types of ${zone}`] = types(zone)
  }
  return found
}

/** A line for each source: its path, and what differs when it has changed. */
function sourceLines() {
  const paths = ['src', 'test', 'bench', 'scripts', 'examples'].flatMap((folder) =>
    filesUnder(folder, '').map((name) => join(folder, name)),
  )
  const files = [...paths, 'biome.json'].map((path) => ({ path, info: statSync(path) }))
  return files
    .filter(({ info }) => info.isFile())
    .map(({ path, info }) => `${path} ${info.size} ${info.mtimeMs}`)
}

/** Those that differ from what passed before; everything if the rules do. */
function unchecked(lines) {
  const passed = existsSync(kept('files')) ? readFileSync(kept('files'), 'utf8').split('\n') : []
  const known = new Set(passed)
  const files = lines.filter((line) => !known.has(line)).map((line) => line.split(' ')[0])
  return passed.length === 0 || files.includes('biome.json') ? ['.'] : files
}

/** All steps at a time, each with its output in one piece; false if one failed. `onlyChanged`:
 *  files that passed before and are the same now are not formatted and linted again. */
export async function check(onlyChanged = false) {
  const lines = sourceLines()
  const files = onlyChanged ? unchecked(lines) : ['.']
  const passed = await Promise.all(
    Object.entries(steps(files)).map(async ([title, args]) => {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => {
          output += text
        })
      const [status, signal] = await once(child, 'close')
      process.stdout.write(output)
      if (status !== 0) console.error(`openperp: ${title} failed (${signal ?? status})`)
      return status === 0
    }),
  )
  if (passed.includes(false)) return false
  writeFileSync(kept('files'), lines.join('\n'))
  return true
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.length > 2) {
    console.error(`openperp: unknown option ${process.argv[2]}; npm run check takes no options`)
    process.exit(2)
  }
  process.chdir(fileURLToPath(new URL('..', import.meta.url)))
  ready()
  process.exitCode = (await check()) ? 0 : 1
}
