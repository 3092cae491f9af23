// A disk that fails or waits on command, around a real one.

import { type OpenFile, openDiskFile } from '../../src/journal/disk-file.ts'

export class FaultyDisk {
  /** Every write and sync that reached the disk, in order, by the name of the file. */
  readonly calls: string[] = []
  failWrites = false
  failSyncs = false
  private held: (() => void)[] | null = null

  /** Syncs wait from now on. */
  hold(): void {
    this.held = []
  }

  release(): void {
    const waiting = this.held ?? []
    this.held = null
    for (const go of waiting) go()
  }

  readonly open: OpenFile = async (path) => {
    const file = await openDiskFile(path)
    // A segment is begun under a name of its own.
    const name = path.replace(/^.*\//, '').replace(/\.seg\..*$/, '.seg')
    return {
      ...file,
      write: async (parts, position) => {
        this.calls.push(`write ${name}`)
        if (this.failWrites) throw new Error('ENOSPC: no space left on device')
        await file.write(parts, position)
      },
      sync: async () => {
        if (this.held !== null && name.endsWith('.seg'))
          await new Promise<void>((go) => this.held!.push(go))
        this.calls.push(`sync ${name}`)
        if (this.failSyncs) throw new Error('EIO: i/o error, fdatasync')
        await file.sync()
      },
    }
  }
}
