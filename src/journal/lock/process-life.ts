// Determines whether a process of this machine is still running. A killed process may exist for a
// while: as a zombie, which holds no files, until its parent reaps it; or exiting, while its last
// write completes.

import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

export type Life = 'running' | 'dying' | 'exited'

/** Status of a process. `started`: the start time that `startOf` returned before; empty if
 *  unknown. */
export function processLife(pid: number, started: string): Life {
  const line = statOf(pid)
  if (line === null) return lifeBySignal(pid)
  if (started !== '' && startOf(pid) !== started) return 'exited'
  // A zombie whose threads still exist is still exiting.
  if (line[0] === 'Z' || line[0] === 'X')
    return Number.parseInt(line[17]!, 10) > 1 ? 'dying' : 'exited'
  return isKilled(pid) ? 'dying' : 'running'
}

/** Distinguishes a process from a later one with the same pid: boot id and start tick. `null` if
 *  unknown. */
export function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    const line = statOf(pid)
    return line === null ? null : `${boot} ${line[19]}`
  } catch {
    // Not Linux: only the process id is available.
    return null
  }
}

/** Namespace of process ids. Each container has its own namespace. */
export function ownSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    // Not Linux: there is only one namespace.
    return ''
  }
}

/** Fields of the process's `stat` line, starting with the third, its state; `null` if not
 *  available. */
function statOf(pid: number): readonly string[] | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may contain anything.
    return line.slice(line.lastIndexOf(')') + 2).split(' ')
  } catch {
    // Not Linux, or no such process.
    return null
  }
}

/** Whether signal 9 is pending, because the process must first complete a system call. */
function isKilled(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const masks = status.match(/^(?:SigPnd|ShdPnd):\s*[0-9a-f]+$/gm) ?? []
    return masks.some((mask) => (Number.parseInt(mask.slice(-4), 16) & 0x100) !== 0)
  } catch {
    // The process exited meanwhile, which the next check reports.
    return true
  }
}

/** Fallback for systems without /proc, and for processes that do not exist. */
function lifeBySignal(pid: number): Life {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'running' : 'exited'
  }
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  const state = stdout?.trim() ?? ''
  if (state.startsWith('Z')) return 'exited'
  // BSD reports E for an exiting process.
  return state.includes('E') ? 'dying' : 'running'
}
