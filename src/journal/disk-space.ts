// Checks whether the disk is nearly full. The value is cached, because measuring is a system call
// and every order needs the check.

import { statfs } from 'node:fs/promises'

export const freeBytesMin = 200 * 1_024 * 1_024
const refreshMs = 5_000
const refreshBytes = 16 * 1_024 * 1_024

export type FreeBytes = (folder: string) => Promise<number>

export const freeBytesOf: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export class DiskSpace {
  private readonly folder: string
  private readonly min: number
  private readonly freeOf: FreeBytes
  private readonly timer: NodeJS.Timeout
  private free: number
  private written = 0

  private constructor(folder: string, free: number, min: number, freeOf: FreeBytes) {
    this.folder = folder
    this.free = free
    this.min = min
    this.freeOf = freeOf
    this.timer = setInterval(() => void this.refresh(), refreshMs).unref()
  }

  static async watch(
    folder: string,
    min: number = freeBytesMin,
    freeOf: FreeBytes = freeBytesOf,
  ): Promise<DiskSpace> {
    return new DiskSpace(folder, await freeOf(folder), min, freeOf)
  }

  get low(): boolean {
    return this.left < this.min
  }

  /** Last known number of free bytes. */
  get left(): number {
    return this.free - this.written
  }

  /** Subtracts the bytes that this process wrote, without a new measurement. */
  wrote(bytes: number): void {
    this.written += bytes
    if (this.written >= refreshBytes) void this.refresh()
  }

  async refresh(): Promise<void> {
    try {
      this.free = await this.freeOf(this.folder)
      this.written = 0
    } catch {
      // Keeps the last value. If the disk fails, the journal will report it.
    }
  }

  close(): void {
    clearInterval(this.timer)
  }
}
