// A copy of the build in which one module at a time has a fault, so that threads and processes that
// a test starts have it too, and programs that run in it.

import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { endGroup, watched } from './children.ts'
import { built, type Program } from './programs.ts'

const root = join(built, '..')
const ownNames = ['dist', '.git', '.mutants']

export class Lane {
  private readonly build: string

  constructor(folder: string) {
    this.build = join(folder, 'dist')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    for (const name of readdirSync(root))
      if (!ownNames.includes(name)) symlinkSync(join(root, name), join(folder, name))
    cpSync(built, this.build, { recursive: true, filter: (path) => !/\.(map|d\.ts)$/.test(path) })
  }

  /** While `work` runs, the module (a path below the build) has another text. */
  async withModule<T>(
    module: string,
    { text, was }: Readonly<{ text: string; was: string }>,
    work: () => Promise<T>,
  ): Promise<T> {
    writeFileSync(join(this.build, module), text)
    try {
      return await work()
    } finally {
      writeFileSync(join(this.build, module), was)
    }
  }

  /** Milliseconds that it took; null when a test failed (the rest is not waited for) or it did not
   *  end in time. */
  timeOf({ args }: Program, ms: number): Promise<number | null> {
    const started = performance.now()
    return new Promise((resolve) => {
      const child = spawn(process.execPath, ['--test-reporter=tap', ...args], {
        cwd: this.build,
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      })
      watched(child)
      const timer = setTimeout(() => endGroup(child), ms)
      createInterface(child.stdout).on('line', (line) => {
        if (/^\s*not ok\b/.test(line)) endGroup(child)
      })
      child.once('exit', (code) => {
        clearTimeout(timer)
        resolve(code === 0 ? performance.now() - started : null)
      })
    })
  }
}
