// The processes that try faults, each with a group of its own: none of them outlives the run, also
// when it is stopped by hand.

import type { ChildProcess } from 'node:child_process'

const running = new Set<ChildProcess>()

/** It must have been started as detached. */
export function watched(child: ChildProcess): ChildProcess {
  running.add(child)
  return child.once('exit', () => endGroup(child))
}

/** With whatever it has started. */
export function endGroup(child: ChildProcess): void {
  running.delete(child)
  try {
    process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // None of them is left.
  }
}

process.once('exit', () => running.forEach(endGroup))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(1))
