// The package as its users have it: packed from this clone, and installed into an empty folder.

import { type ChildProcess, spawn } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The clone, from `dist/test/support/pack`. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url))

export type Ran = Readonly<{ code: number | null; out: string; errors: string }>
type Manner = Readonly<{ cwd: string; env?: Readonly<Record<string, string>>; timeoutMs?: number }>

/** What npm passes on to its scripts would make an inner npm work in the clone; what leads to
 *  packages stays. Node's own test runner speaks to its children by a variable, too. */
const npmKept =
  /^npm_config_(?:registry|cache|userconfig|offline|proxy|https_proxy|noproxy|cafile)$/
function outerEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => (!/^npm_/i.test(name) || npmKept.test(name)) && !/^NODE_/.test(name),
  )
  return Object.fromEntries(kept) as Record<string, string>
}

/** A process in a group of its own, so that what it started ends with it. */
export function start(command: readonly string[], { cwd, env }: Manner): ChildProcess {
  return spawn(command[0]!, command.slice(1), {
    cwd,
    env: { ...outerEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
}

export function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, signal)
  } catch {
    // No process is left in the group.
  }
}

export async function run(command: readonly string[], manner: Manner): Promise<Ran> {
  const child = start(command, manner)
  let out = ''
  let errors = ''
  child.stdout!.on('data', (text) => {
    out += text
  })
  child.stderr!.on('data', (text) => {
    errors += text
  })
  const guard = setTimeout(() => endGroup(child, 'SIGKILL'), manner.timeoutMs ?? 120_000)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  clearTimeout(guard)
  return { code, out, errors }
}

/** The npm that runs the tests, or the one on the PATH. */
export const npm = (...args: readonly string[]): readonly string[] => {
  const own = process.env.npm_execpath
  return own?.endsWith('.js') ? [process.execPath, own, ...args] : ['npm', ...args]
}

export type InstalledPackage = Readonly<{
  folder: string
  /** Where the package itself is. */
  place: string
  /** What npm said. */
  said: string
  packages: number
  bytes: number
}>

/** The package registry did not answer. */
export type Unreachable = Readonly<{ unreachable: string }>

const unreachable =
  /\b(?:ENOTFOUND|EAI_AGAIN|ENOTCACHED|ENETUNREACH|ECONN\w+|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/

export function filesUnder(folder: string): readonly string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => lstatSync(join(folder, name)).isFile())
    .toSorted()
}

export async function installPackage(): Promise<InstalledPackage | Unreachable> {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-pack-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const packed = await run(npm('pack', '--pack-destination', folder), { cwd: root })
  if (packed.code !== 0) throw new Error(`npm pack failed: ${packed.errors}`)
  const [tarball] = readdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const quick = ['--no-audit', '--no-fund', '--prefer-offline']
  const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000']
  const install = npm(
    'install',
    '--save-dev',
    '--ignore-scripts',
    ...quick,
    ...patience,
    `./${tarball}`,
  )
  const { code, out, errors } = await run(install, { cwd: folder, timeoutMs: 240_000 })
  const found = unreachable.exec(errors)
  if (code !== 0 && found !== null) return { unreachable: found[0] }
  if (code === null) return { unreachable: 'no answer in four minutes' }
  if (code !== 0) throw new Error(`npm install failed: ${errors}`)
  const modules = join(folder, 'node_modules')
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
  const sizes = filesUnder(modules).map((name) => lstatSync(join(modules, name)).size)
  return {
    folder,
    place: join(modules, 'openperp'),
    said: out + errors,
    packages: Object.keys(lock.packages).length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
  }
}
