// `npx openperp start` is three processes: npx, a shell, and the exchange. Stopping npx is meant
// for the exchange, but npx passes SIGTERM on to the shell alone, and a killed npx passes nothing
// on: the exchange would continue unnoticed, with its ports and its folder. Under any other parent
// it is meant to outlive it (`openperp start &` of a script, a service).

import { readFileSync } from 'node:fs'

const lookMs = 1_000

/** Calls `ended` once, when npx or the shell in between has exited. */
export function whenNpxEnds(environment: NodeJS.ProcessEnv, ended: () => void): void {
  if (environment.npm_command !== 'exec') return
  const { ppid } = process
  const launcher = npxAbove(ppid)
  if (launcher === null) return
  const looking = setInterval(() => {
    if (process.ppid === ppid && lives(launcher)) return
    clearInterval(looking)
    ended()
  }, lookMs).unref()
}

/** Not every shell stays in between. `null` if another program that npx runs started us, which
 *  decides itself how long we run. If the system has no process names, it is the parent. */
function npxAbove(parent: number): number | null {
  const name = nameOf(parent)
  if (name === '' || isNpx(name)) return parent
  const above = parentOf(parent)
  return /^(?:sh|dash|bash|busybox)$/.test(name) && isNpx(nameOf(above)) ? above : null
}

/** Both are named `npm exec …`. */
const isNpx = (name: string) => /^np[mx]/.test(name)

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It exists, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** `1234 (npm exec x) S 1200 …`; empty on systems without /proc. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // Otherwise only the parent is checked.
    return ''
  }
}

function nameOf(pid: number): string {
  return /\((.*)\)/s.exec(statusOf(pid))?.[1] ?? ''
}

function parentOf(pid: number): number {
  return Number.parseInt(/\) \S+ (\d+)/.exec(statusOf(pid))?.[1] ?? '0', 10)
}
