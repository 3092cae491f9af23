// `npm test` comes to an end: a file that does not end by itself is ended, and named. The lock of
// the build before it.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, loadavg, tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'

type Runner = Readonly<{
  runnerArguments(files: readonly string[], limitMs?: number): readonly string[]
}>
type Group = Readonly<{ name: string; has: RegExp; processes: number }>
type Together = Readonly<{
  together(folder: string, files: readonly string[], groups?: readonly Group[]): readonly string[]
}>
const script = (name: string) => import(new URL(`../../scripts/${name}`, import.meta.url).href)
const { runnerArguments }: Runner = await script('runner.mjs')
const { together }: Together = await script('together.mjs')

const folder = mkdtempSync(join(tmpdir(), 'openperp-test-runner-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, body: string, place = folder): string {
  const path = join(place, `${name}.test.mjs`)
  writeFileSync(path, `import { test } from 'node:test'\n${body}\n`)
  return path
}

/** A process without the environment of the runner that runs this file. */
async function run(files: readonly string[], limitMs: number) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = runnerArguments(files, limitMs)
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const guard = setTimeout(() => child.kill('SIGKILL'), 100_000)
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  clearTimeout(guard)
  return { code, said }
}

test('a file that never ends is ended and named, whatever keeps it', async () => {
  const files = [
    file('waits', "test('waits', () => new Promise(() => setInterval(() => undefined, 1000)))"),
    file('stays', "test('stays', () => undefined)\nsetInterval(() => undefined, 1000)"),
    file('loops', "test('loops', () => { for (;;); })"),
  ]
  const { code, said } = await run(files, 2_000)
  assert.equal(code, 1, said)
  for (const name of ['waits', 'stays', 'loops'])
    assert.match(said, new RegExp(`✖ \\S*${name}\\.test\\.mjs .*\\n.*timed out after 2000ms`), said)
})

test('npm test gives every file this limit', () => {
  const given = runnerArguments(['a.test.js']).join(' ')
  const limit = Number(/--test-timeout=(\d+)/.exec(given)?.[1])
  // Above what the longest needs on a slow machine, below the quarter of an hour that all have.
  assert.ok(limit >= 300_000 && limit < 900_000 * Math.max(1, loadavg()[0]!), given)
})

const everything = [{ name: 'all', has: /./, processes: 1 }]

test('files that share a process come one after the other, each with its own hooks', async () => {
  const place = mkdtempSync(join(folder, 'one-by-one-'))
  const said = join(place, 'said')
  const body = (name: string) => `
    import { appendFileSync } from 'node:fs'
    import { after, before } from 'node:test'
    const line = (what) => what + ' ${name} ' + process.pid + '\\n'
    const say = (what) => appendFileSync(${JSON.stringify(said)}, line(what))
    say('loads')
    await new Promise((done) => setTimeout(done, 10))
    before(() => say('before'))
    after(() => new Promise((done) => setTimeout(done, 10)).then(() => say('after')))
    test('a test of ${name}', () => say('tests'))
    test('another of ${name}', async () => say('tests'))`
  const names = ['a', 'b'].map((name) => basename(file(name, body(name), place)))
  const { code, said: output } = await run(together(place, names, everything), 100_000)
  assert.equal(code, 0, output)
  assert.match(output, /tests 4\n/)
  const steps = ['loads', 'before', 'tests', 'tests', 'after']
  const lines = readFileSync(said, 'utf8').trim().split('\n')
  const [, , pid] = lines[0]!.split(' ')
  const expected = ['a', 'b'].flatMap((name) => steps.map((step) => `${step} ${name} ${pid}`))
  assert.deepEqual(lines, expected)
})

test('a file that fails or cannot be loaded is named, and those after it are run', async () => {
  const place = mkdtempSync(join(folder, 'failing-'))
  const bodies = {
    fails: "test('it fails', () => { throw new Error('on purpose') })",
    broken: "throw new Error('not loaded')",
    good: "test('it is good', () => undefined)",
  }
  const names = Object.entries(bodies).map(([name, body]) => basename(file(name, body, place)))
  const { code, said } = await run(together(place, names, everything), 100_000)
  assert.equal(code, 1, said)
  for (const line of [/✖ it fails/, /on purpose/, /✖ .*broken/, /not loaded/, /✔ it is good/])
    assert.match(said, line)
})

test('each file runs once in any distribution, and a named file runs as it is', () => {
  const place = mkdtempSync(join(folder, 'dealt-'))
  const dist = dirname(import.meta.dirname)
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .sort()
  const given = together(place, names)
  assert.ok(given.length < names.length - 100, `${given.length} processes`)
  const run = given.flatMap((path) => {
    if (path.endsWith('.test.js')) return relative(place, path)
    const list = /of (\[[^\]]*\])/.exec(readFileSync(path, 'utf8'))?.[1] ?? '[]'
    return (JSON.parse(list) as string[]).map((to) => relative(place, join(dirname(path), to)))
  })
  assert.deepEqual(run.sort(), names)
  assert.deepEqual(together(place, names.slice(0, 1)), [join(place, names[0]!)])
})

/** A process that takes the lock of this path, says so, and holds it until its input ends. */
function holder(path: string) {
  const code = `import { readSync } from 'node:fs'
    import { locked } from ${JSON.stringify(lockScript)}
    locked(${JSON.stringify(path)}, () => {
      console.log('locked')
      try { readSync(0, Buffer.alloc(1)) } catch {}
    })`
  const args = ['--input-type=module', '-e', code]
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
}
const lockScript = new URL('../../scripts/ready-lock.mjs', import.meta.url).href
type Lock = Readonly<{ locked<T>(path: string, work: () => T, say?: (text: string) => void): T }>

test('a second start names the build it waits for, and continues after it', async () => {
  const path = join(folder, 'held-lock')
  const first = holder(path)
  await once(first.stdout, 'data')
  const second = holder(path)
  const [said] = await once(second.stderr, 'data')
  assert.match(String(said), new RegExp(`waiting for process ${first.pid}, .*lock: ${path}`))
  first.stdin.end()
  await once(second.stdout, 'data')
  second.stdin.end()
  const [code] = await once(second, 'close')
  assert.deepEqual([code, existsSync(path)], [0, false])
})

test('the lock of a build that was killed is replaced immediately', async () => {
  const { locked }: Lock = await script('ready-lock.mjs')
  const path = join(folder, 'stale-lock')
  const killed = holder(path)
  await once(killed.stdout, 'data')
  killed.kill('SIGKILL')
  await once(killed, 'close')
  const waits: string[] = []
  const work = () =>
    locked(
      path,
      () => 'built',
      (text) => waits.push(text),
    )
  assert.equal(existsSync(path), true)
  assert.deepEqual([work(), waits, existsSync(path)], ['built', [], false])
  // Another process has its id now, and it was of a version that locked with a folder.
  writeFileSync(path, `${process.pid} 1 ${hostname()}\n`)
  if (process.platform === 'linux') assert.deepEqual([work(), waits], ['built', []])
  rmSync(path, { force: true })
  mkdirSync(path)
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(path, longAgo, longAgo)
  assert.deepEqual([work(), waits, existsSync(path)], ['built', [], false])
})
