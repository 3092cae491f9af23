// Runs tests with one fault in one module: does any of them notice?

import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Replaced } from './replace-module.ts'

const preload = new URL('./replace-module.js', import.meta.url).href
const built = fileURLToPath(new URL('../../../', import.meta.url))

export type Run = readonly [program: string, ...args: string[]]

/** The programs that a line of a zone's tests means, `*` for any name within a folder. */
export function programsOf([pattern, ...args]: readonly string[]): readonly Run[] {
  const path = join(built, pattern!)
  if (!pattern!.includes('*')) return [[path, ...args]]
  const [before, after] = basename(path).split('*') as [string, string]
  const folders = foldersOf(dirname(path))
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.startsWith(before) && name.endsWith(after))
      .map((name): Run => [join(folder, name), ...args]),
  )
}

function foldersOf(path: string): readonly string[] {
  if (!path.endsWith('*')) return [path]
  const folder = dirname(path)
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
}

/** Milliseconds that it took; null when a test failed (the rest is not waited for) or it did not
 *  end in time. */
function timeOf([program, ...args]: Run, env: NodeJS.ProcessEnv, ms: number) {
  const started = performance.now()
  return new Promise<number | null>((resolve) => {
    const line = ['--test-reporter=tap', '--import', preload, program, ...args]
    const child = spawn(process.execPath, line, {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: ms,
      killSignal: 'SIGKILL',
    })
    createInterface(child.stdout).on('line', (told) => {
      if (/^\s*not ok\b/.test(told)) child.kill('SIGKILL')
    })
    child.once('exit', (code) => resolve(code === 0 ? performance.now() - started : null))
  })
}

/** Runs the tests one after the other in a world in which the module has this text. */
async function withReplaced(
  runs: Iterable<Run>,
  replaced: Replaced,
  run: (run: Run, env: NodeJS.ProcessEnv) => Promise<boolean>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-mutant-'))
  try {
    const file = join(folder, 'mutant.json')
    writeFileSync(file, JSON.stringify(replaced))
    const env = { ...process.env, MUTANT_FILE: file }
    for (const each of runs) if (!(await run(each, env))) return
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Of tests that must pass, each with the time that it may take with a fault in the code. They run
 *  with a module in place of itself: what fails then would notice every fault. */
export async function timed(
  runs: readonly Run[],
  unchanged: Replaced,
): Promise<ReadonlyMap<Run, number>> {
  const found = new Map<Run, number>()
  await withReplaced(runs, unchanged, async (run, env) => {
    const ms = await timeOf(run, env, 600_000)
    if (ms === null) throw new Error(`${run.join(' ')} fails without any fault`)
    found.set(run, Math.ceil(5 * ms) + 10_000)
    return true
  })
  return found
}

/** The program that noticed, or null: nobody did. */
export async function noticedBy(
  tests: ReadonlyMap<Run, number>,
  replaced: Replaced,
): Promise<string | null> {
  let noticed: string | null = null
  await withReplaced(tests.keys(), replaced, async (run, env) => {
    if ((await timeOf(run, env, tests.get(run)!)) === null) noticed = basename(run[0])
    return noticed === null
  })
  return noticed
}
