// Only one of several starts in one clone installs or builds. The others wait and say for which
// process; a lock whose owner has exited is replaced immediately.
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'

/** A lock without an owner was being written when its process ended, if it is older than this. */
const writtenMs = 2_000
/** An owner on another host cannot be checked: its lock expires. */
const elsewhereMs = 600_000
const retryMs = 200

const textOf = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** When a process started, so that a reused process id is not taken for it; '' where the system
 *  does not say. */
function startOf(pid) {
  const stat = textOf(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

const ownerText = () => `${process.pid} ${startOf(process.pid)} ${hostname()}\n`

function isRunning(pid, start) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (error.code === 'ESRCH') return false
  }
  return start === '' || startOf(pid) === '' || startOf(pid) === start
}

/** What holds the lock, in words; null if it is stale. */
function holderOf(text, ageMs) {
  const [, pid, start, host] = /^(\d+) (\d*) (.+)\n$/.exec(text) ?? []
  if (pid === undefined) return ageMs < writtenMs ? 'another process' : null
  if (host !== hostname()) return ageMs < elsewhereMs ? `process ${pid} on ${host}` : null
  return isRunning(Number(pid), start) ? `process ${pid}` : null
}

function tryToLock(path) {
  let file
  try {
    file = openSync(path, 'wx')
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  writeSync(file, ownerText())
  closeSync(file)
  return true
}

/** Moved away before it is deleted: two waiters must not delete each other's new lock. */
function removeStale(path, stale) {
  const aside = `${path}-${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  if (textOf(aside) === stale) rmSync(aside, { recursive: true, force: true })
  else renameSync(aside, path)
}

/** Runs `work` while no other process holds the lock. `say` is called once per wait. */
export function locked(path, work, say = (text) => console.error(text)) {
  let waitsFor = ''
  while (!tryToLock(path)) {
    const text = textOf(path)
    const info = statSync(path, { throwIfNoEntry: false })
    if (info === undefined) continue
    const holder = holderOf(text, Date.now() - info.mtimeMs)
    if (holder === null) {
      removeStale(path, text)
      continue
    }
    if (holder !== waitsFor)
      say(`openperp: waiting for ${holder}, which installs or builds here (lock: ${path}) …`)
    waitsFor = holder
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
  }
  const open = () => rmSync(path, { force: true })
  process.once('exit', open)
  try {
    return work()
  } finally {
    open()
    process.off('exit', open)
  }
}
