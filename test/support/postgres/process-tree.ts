// A database is many processes, each the leader of its own group: to pause or kill "the machine",
// all of them have to be found. Linux has them in /proc, so that no `ps` need be installed.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export function childrenOf(pid: number): readonly number[] {
  let text = ''
  try {
    text =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
        : execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
  } catch {
    // It has ended, or has no children.
  }
  return text.split(/\s+/).filter(Boolean).map(Number)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // It ended before we came to it.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The parent first: while it is stopped or killed it starts no others. */
export function signalTree(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  // All are stopped before any is killed, so that none notices the death of another.
  if (name === 'SIGKILL') signalTree(pid, 'SIGSTOP')
  const children = childrenOf(pid)
  signal(pid, name)
  for (const child of new Set([...children, ...childrenOf(pid)])) signalTree(child, name)
}
