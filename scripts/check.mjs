// `npm run check`: formatter and linter, and types of the zones that have their own tsconfig.
// `npm test` does the same before its tests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ready } from './ready.mjs'

/** Paths below the folder. */
export const filesUnder = (folder, ending) =>
  readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(ending))

// By default four threads check, and each computes again the types that it shares with the others.
const types = (zone) => ['node_modules/typescript/bin/tsc', '-p', zone, '--checkers', '1']

function steps() {
  const colors = process.stdout.isTTY ? '--colors=force' : '--colors=off'
  // `ci` never writes, and unlike `check` it has no flag by which it could.
  const biome = ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', colors, '.']
  const found = { 'format and lint': biome, 'types of src/web': types('src/web') }
  // These zones compile without Node or DOM types, so that a timer, a file or `console` in them
  // does not compile. The compiler calls a zone without sources an error; for us it is only early.
  for (const zone of ['src/units', 'src/core']) {
    const sources = filesUnder(zone, '.ts').filter((name) => !name.endsWith('.test.ts'))
    if (sources.length > 0) found[`types of ${zone}`] = types(zone)
  }
  return found
}

/** All steps at a time, each with its output in one piece; false if one failed. */
export async function check() {
  const passed = await Promise.all(
    Object.entries(steps()).map(async ([title, args]) => {
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
  return !passed.includes(false)
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
