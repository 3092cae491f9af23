// The wall clock of a child process, as a test sets it.

import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export const skewFileVariable = 'CLOCK_SKEW_FILE'

const preload = new URL('./skewed-clock.js', import.meta.url).href
/** Longer than a process keeps what it has read of the file. */
const seenMs = 50

export class ClockFile {
  private readonly path: string
  private skew = 0

  /** The file is next to the data folder of the process. */
  constructor(folder: string) {
    this.path = `${folder}.clock`
    this.write(0)
  }

  /** How far the process is ahead of the machine, in milliseconds. */
  get skewMs(): number {
    return this.skew
  }

  /** What the process needs in its environment. */
  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import=${preload}`, [skewFileVariable]: this.path }
  }

  /** The clock steps. Resolves when the process sees it. */
  async setSkew(ms: number): Promise<void> {
    this.write(ms)
    await wait(seenMs)
  }

  private write(ms: number): void {
    this.skew = ms
    mkdirSync(dirname(this.path), { recursive: true })
    const fresh = `${this.path}.new`
    writeFileSync(fresh, String(ms))
    renameSync(fresh, this.path)
  }
}
