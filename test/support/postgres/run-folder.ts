// What the databases of one process of tests share: a folder, the binaries, the template, and the
// guardian that takes it all away in the end.

import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Binaries, installBinaries } from './binaries.ts'
import { copyFolder, findTemplate } from './template.ts'

export class RunFolder {
  readonly binaries: Binaries
  /** The server's owner may write here. */
  private readonly own: string
  private readonly guardian: ChildProcess
  private readonly template: Promise<string>
  private made = 0

  private constructor() {
    // Short, because the path of a socket may have no more than a hundred bytes.
    const root = mkdtempSync(join(realpathSync(tmpdir()), 'op-pg-'))
    const program = fileURLToPath(new URL('guardian.js', import.meta.url))
    this.guardian = spawn(process.execPath, [program, root], {
      stdio: ['pipe', 'ignore', 'inherit'],
      detached: true,
    })
    this.guardian.unref()
    ;(this.guardian.stdin as unknown as { unref(): void }).unref()
    chmodSync(root, 0o755)
    this.binaries = installBinaries(root)
    this.own = join(root, 'own')
    mkdirSync(this.own, { mode: 0o755 })
    const { uid, gid } = this.binaries.owner
    if (uid !== undefined && gid !== undefined) chownSync(this.own, uid, gid)
    this.template = findTemplate(this.binaries, this.own)
  }

  private static only: RunFolder | null = null

  static get(): RunFolder {
    RunFolder.only ??= new RunFolder()
    return RunFolder.only
  }

  /** A name for a folder that is not there yet. */
  place(): string {
    this.made += 1
    return join(this.own, String(this.made))
  }

  /** A new data folder at the place. */
  async newData(at: string): Promise<void> {
    await copyFolder(await this.template, at, this.binaries.owner)
  }

  started(pid: number): void {
    this.guardian.stdin!.write(`started ${pid}\n`)
  }

  ended(pid: number): void {
    this.guardian.stdin!.write(`ended ${pid}\n`)
  }
}
