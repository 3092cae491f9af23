// Runs tests with one fault in one module: does any of them notice?

import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

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

/** Of tests that must pass, each with the time that it may take with a fault in the code. */
export async function timed(runs: readonly Run[]): Promise<ReadonlyMap<Run, number>> {
  const found = new Map<Run, number>()
  for (const run of runs) {
    const ms = await timeOf(run, process.env, 600_000)
    if (ms === null) throw new Error(`${run.join(' ')} fails without any fault`)
    found.set(run, Math.ceil(5 * ms) + 10_000)
  }
  return found
}

/** The program that noticed, or null: nobody did. */
export async function noticedBy(
  tests: ReadonlyMap<Run, number>,
  replaced: Readonly<{ url: string; source: string }>,
): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-mutant-'))
  try {
    const file = join(folder, 'mutant.json')
    writeFileSync(file, JSON.stringify(replaced))
    const env = { ...process.env, OPENPERP_MUTANT: file }
    for (const [run, ms] of tests)
      if ((await timeOf(run, env, ms)) === null) return basename(run[0])
    return null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
