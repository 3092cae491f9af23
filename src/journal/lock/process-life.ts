// Whether a process of this machine is still running. A killed one exists for a while: as a zombie,
// which holds nothing, until its parent waits for it; or still exiting, while its last write is on
// its way to the disk.

import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

export type Life = 'running' | 'dying' | 'exited'

/** `started`: the start time that `startOf` returned earlier; empty if unknown. */
export function processLife(pid: number, started: string): Life {
  const line = statOf(pid)
  if (line === null) return lifeBySignal(pid)
  if (started !== '' && startOf(pid) !== started) return 'exited'
  // A zombie whose threads still exist is still exiting.
  if (line[0] === 'Z' || line[0] === 'X')
    return Number.parseInt(line[17]!, 10) > 1 ? 'dying' : 'exited'
  return isKilled(pid) ? 'dying' : 'running'
}

/** Identifies a process beyond its id: the boot and the tick at which it was started. */
export function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    const line = statOf(pid)
    return line === null ? null : `${boot} ${line[19]}`
  } catch {
    // Not Linux: the id alone must suffice.
    return null
  }
}

/** Namespace of process ids: containers have their own. */
export function ownSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    // Not Linux: there is only one.
    return ''
  }
}

/** The fields of its status line from the third, its state, on. */
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

/** Whether signal 9 is pending: the process is in a system call that it has to complete first. */
function isKilled(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const masks = status.match(/^(?:SigPnd|ShdPnd):\s*[0-9a-f]+$/gm) ?? []
    return masks.some((mask) => (Number.parseInt(mask.slice(-4), 16) & 0x100) !== 0)
  } catch {
    // It exited meanwhile, which the next check reports.
    return true
  }
}

/** Fallback without /proc, or if the process does not exist. */
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
