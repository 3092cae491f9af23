// The data folder that all databases are copies of: so they are of one system, and any of them can
// follow any other. It takes longer to make than everything else that a database needs, so it is
// made once for a checkout and kept next to its packages, which are removed when others are
// installed.

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Binaries, Owner } from './binaries.ts'

const run = promisify(execFile)
const runMsMax = 240_000
const kept = fileURLToPath(new URL('../../../../node_modules/.cache/openperp/', import.meta.url))

/** Where it is; `own` is a folder of the run, in which the server's owner may write. */
export async function findTemplate(binaries: Binaries, own: string): Promise<string> {
  const template = join(kept, `postgres-${binaries.version}-${process.getuid?.() ?? 0}`)
  if (existsSync(template)) return template
  const made = join(own, 'template')
  await makeTemplate(binaries, made)
  const copy = `${template}.${process.pid}`
  try {
    mkdirSync(kept, { recursive: true })
    await run('cp', ['-R', made, copy], { timeout: runMsMax })
    // Whole or not at all: others look for it at the same time.
    renameSync(copy, template)
  } catch {
    // Another process was faster, or nothing can be kept here: this run has its own.
    rmSync(copy, { recursive: true, force: true })
  }
  return made
}

async function makeTemplate({ initdb, env, owner }: Binaries, at: string): Promise<void> {
  const names = ['-U', 'openperp', '-A', 'trust', '--no-locale', '-E', 'UTF8']
  // Small files of log, so that a copy is quick; nothing is synced, because nothing must survive.
  const small = ['-N', '--wal-segsize=1', '--no-instructions']
  await run(initdb, ['-D', at, ...names, ...small], { env, ...owner, timeout: runMsMax })
}

/** The copy belongs to the server's owner, also if the original may be read by others. */
export async function copyFolder(from: string, to: string, { uid, gid }: Owner): Promise<void> {
  try {
    await run('cp', ['-R', from, to], { timeout: runMsMax })
  } finally {
    if (uid !== undefined) await run('chown', ['-R', `${uid}:${gid}`, to], { timeout: runMsMax })
  }
}
