// The file operations of the journal, as an interface, so that tests can simulate a faulty disk.

import { close, constants, fdatasync, ftruncate, open, writev, writevSync } from 'node:fs'
import { promisify } from 'node:util'
import { fileMode } from './private-folder.ts'

const fileFlags = constants.O_RDWR | constants.O_CREAT
const openAsync = promisify(open)
const writevAsync = promisify(writev)
const syncAsync = promisify(fdatasync)
const truncateAsync = promisify(ftruncate)
const closeAsync = promisify(close)

/** Writes of up to this size are synchronous, because they take less time than waking up a thread
 *  of the I/O pool. */
const syncBytesMax = 65_536

export type DiskFile = Readonly<{
  /** Writes all parts, or rejects. */
  write(parts: readonly Uint8Array[], position: number): Promise<void>
  sync(): Promise<void>
  truncate(length: number): Promise<void>
  close(): Promise<void>
}>

export type OpenFile = (path: string) => Promise<DiskFile>

/** Opens for reading and writing; creates the file if needed. */
export const openDiskFile: OpenFile = async (path) => {
  const file = await openAsync(path, fileFlags, fileMode)
  return {
    async write(parts, position) {
      const expected = parts.reduce((sum, part) => sum + part.length, 0)
      const bytesWritten =
        expected <= syncBytesMax
          ? writevSync(file, parts, position)
          : (await writevAsync(file, parts, position)).bytesWritten
      // A short write means that the disk is full.
      if (bytesWritten !== expected)
        throw new Error(`wrote ${bytesWritten} of ${expected} bytes to ${path}`)
    },
    sync: () => syncAsync(file),
    truncate: (length) => truncateAsync(file, length),
    close: () => closeAsync(file),
  }
}
