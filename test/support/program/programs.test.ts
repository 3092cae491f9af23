// The programs that `npm run x` runs: each says what it does with `--help`, refuses what it does
// not know, and is named in documents as it is.

import assert from 'node:assert/strict'
import { fork, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { nearWord } from '../../../src/cli/frame/near-word.ts'
import { repositoryFiles } from '../tidy/repository-files.ts'
import type { Attempt, Ending } from './try-options-child.ts'

type Table = Readonly<{
  programs: ReadonlyMap<string, Readonly<{ module: string; about: string }>>
  nearNames(given: string, near: typeof nearWord): readonly string[]
}>

const root = new URL('../../../../', import.meta.url)
const { programs, nearNames }: Table = await import(new URL('scripts/programs.mjs', root).href)
const builtAt = (module: string) => new URL(`dist/${module}.js`, root)
const files = repositoryFiles()

function launched(...args: readonly string[]) {
  const launcher = fileURLToPath(new URL('scripts/x.mjs', root))
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

/** Programs that are bundled run once in a process. */
const isBundled = (name: string) => name === 'bench/engine'

function endingsOf(attempts: readonly Attempt[]): Promise<readonly Ending[]> {
  const child = fork(new URL('./try-options-child.js', import.meta.url), { stdio: 'inherit' })
  const endings: Ending[] = []
  child.on('message', (ending: Ending) => endings.push(ending))
  child.send(attempts)
  return new Promise((resolve) => child.once('close', () => resolve(endings)))
}

const helps = new Map<string, string>()

test('each program describes itself and refuses an unknown option', async () => {
  const attempts = [...programs].flatMap(([name, { module }]) => {
    assert.ok(existsSync(builtAt(module)), `${name}: there is no ${module}`)
    if (isBundled(name)) return []
    const one = (...args: readonly string[]) => ({ name, url: builtAt(module).href, args })
    return [one('--help'), one('--no-such-option')]
  })
  const endings = await endingsOf(attempts)
  for (const { name, args, code, out, err } of endings)
    if (args[0] === '--help') {
      assert.deepEqual({ code, err }, { code: 0, err: '' }, name)
      helps.set(name, out)
    } else {
      assert.deepEqual({ code, out }, { code: 2, out: '' }, name)
      assert.ok(err.startsWith(`${name}: unknown option --no-such-option`), err)
    }
  assert.equal(endings.length, attempts.length, `after ${endings.at(-1)?.name} none was tried`)
  for (const [name, help] of helps) {
    assert.ok(help.startsWith(`${name}\n\n`), help)
    assert.match(help, /\nUsage: npm run x .*\n\n(?: {2}.*\n)* {2}--help +show this help\n$/)
  }
})

test('so do they as processes', () => {
  const help = launched('bench/engine', '--help')
  assert.equal(help.status, 0, help.stderr)
  assert.match(help.stdout, /^bench\/engine\n/)
  assert.match(help.stdout, /--rounds N +rounds of each \(default: 5\)\n/)
  helps.set('bench/engine', help.stdout)
  const refused = launched('bench/engine', '--', '--round', '2')
  assert.deepEqual(refused, {
    status: 2,
    stdout: '',
    stderr:
      'bench/engine: unknown option --round; did you mean --rounds?\n' +
      'npm run x bench/engine -- --help lists what it accepts\n',
  })
})

test('without a name all programs are listed', () => {
  const { status, stdout } = launched()
  assert.equal(status, 0)
  for (const [name, { about }] of programs)
    assert.match(stdout, new RegExp(`^${name} +${about}$`, 'm'))
})

test('an unknown name is refused with the nearest ones', () => {
  const { status, stdout, stderr } = launched('bench/engin')
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(
    stderr,
    /^openperp: there is no program bench\/engin; did you mean bench\/engine\?\n/,
  )
  const near = (name: string) => nearNames(name, nearWord)
  assert.deepEqual(near('torture:cluster'), ['torture/cluster'])
  assert.deepEqual(near('cluster'), ['bench/cluster', 'torture/cluster'])
  assert.deepEqual(near('soak'), ['soak/streams', 'soak/web'])
  assert.deepEqual(near('enigne'), ['bench/engine'])
  assert.deepEqual(near('differntial'), ['differential'])
  assert.deepEqual(near('xyzzy'), [])
})

test('every program that declares options is in the table', () => {
  const known = new Set([...programs.values()].map(({ module }) => `${module}.ts`))
  const declaring = files.filter(
    ({ path, text }) =>
      /^(?:bench|test)\//.test(path) &&
      /^(?:const .* = |} = )?(?:program|bench)Options\(/m.test(text),
  )
  const missing = declaring.map(({ path }) => path).filter((path) => !known.has(path))
  assert.deepEqual(missing, [])
})

const scripts = JSON.parse(files.find(({ path }) => path === 'package.json')!.text).scripts

test('there are ten scripts', () => {
  const names = 'start test build lint format docs bench check release x'.split(' ')
  assert.deepEqual(Object.keys(scripts).sort(), [...names, 'prepack'].sort())
})

/** What is wrong with commands that a text names. */
function wrongCommandsIn(text: string): readonly string[] {
  // Comments and paragraphs wrap.
  const flat = text.replaceAll(/\n *(?:\/\/|#|\*)? */g, ' ')
  const wrong: string[] = []
  for (const [command, script, name] of flat.matchAll(
    /npm run (?!-|<)([\w:/-]+)(?: ([\w:/-]+))?/g,
  )) {
    if (scripts[script!] === undefined) wrong.push(command)
    else if (script === 'x' && name !== undefined && /^[a-z]/.test(name) && !programs.has(name))
      wrong.push(command)
  }
  for (const [, name, rest] of text.matchAll(/npm run x ([\w/-]+) -- ([^`#|\n]*)/g))
    for (const [option] of rest!.matchAll(/--[a-z][a-z-]*/g))
      if (helps.get(name!)?.includes(`${option} `) === false) wrong.push(`${name} ${option}`)
  return wrong
}

test('every command that a document or a comment names exists', () => {
  const wrong = files
    .filter(({ path }) => !path.startsWith('test/support/program/'))
    .flatMap(({ path, text }) => wrongCommandsIn(text).map((command) => `${path}: ${command}`))
  assert.deepEqual(wrong, [])
  assert.deepEqual(wrongCommandsIn('npm run bench:engine'), ['npm run bench:engine'])
  assert.deepEqual(wrongCommandsIn('npm run x torture'), ['npm run x torture'])
  assert.deepEqual(wrongCommandsIn('`npm run x fuzz -- --request 5`'), ['fuzz --request'])
  assert.deepEqual(wrongCommandsIn('`npm run x fuzz -- --requests 5`'), [])
})
