// The published checkpoints of a data folder, oldest first, in lines of equal length. A checkpoint
// is on disk before it is published: after a crash, another one for the same entries would be proof
// against this exchange.

import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Checkpoint } from '../../protocol/schemas/proofs/receipts.ts'

const lineBytes = 1_024

export const checkpointFile = (folder: string): string => join(folder, 'checkpoints')

export class CheckpointFile {
  private readonly path: string

  constructor(folder: string) {
    this.path = checkpointFile(folder)
  }

  add(checkpoint: Checkpoint): void {
    const line = `${JSON.stringify(checkpoint).padEnd(lineBytes - 1)}\n`
    const file = openSync(this.path, existsSync(this.path) ? 'r+' : 'w', 0o600)
    try {
      // Half a line of a crash is overwritten.
      writeSync(file, Buffer.from(line), 0, lineBytes, this.lines(file) * lineBytes)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }

  /** The newest ones, newest first. */
  newest(limit: number): Checkpoint[] {
    return this.read((at, count) =>
      Array.from({ length: Math.min(limit, count) }, (_, n) => at(count - 1 - n)),
    )
  }

  /** The checkpoint that covers this entry; `null` if there is none. */
  covering(seq: number): Checkpoint | null {
    return this.read((at, count) => {
      let [low, high] = [0, count]
      while (low < high) {
        const middle = (low + high) >>> 1
        if (at(middle).seq < seq) low = middle + 1
        else high = middle
      }
      const found = low < count ? at(low) : null
      return found !== null && found.first_seq <= seq ? found : null
    })
  }

  /** Keeps what was published under another name, because the journal no longer has it. */
  setAside(seq: number): void {
    renameSync(this.path, `${this.path}.until-${seq}`)
  }

  private read<T>(work: (at: (line: number) => Checkpoint, count: number) => T): T {
    if (!existsSync(this.path)) return work(() => undefined as never, 0)
    const file = openSync(this.path, 'r')
    try {
      const at = (line: number) => {
        const bytes = Buffer.alloc(lineBytes)
        readSync(file, bytes, 0, lineBytes, line * lineBytes)
        return JSON.parse(bytes.toString('latin1')) as Checkpoint
      }
      return work(at, this.lines(file))
    } finally {
      closeSync(file)
    }
  }

  private lines(file: number): number {
    return Math.floor(fstatSync(file).size / lineBytes)
  }
}
