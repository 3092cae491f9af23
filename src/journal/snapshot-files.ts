// Snapshot files of a folder, named by the seq after which they were taken, newest first. A reader
// uses the first complete one.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'

export type SnapshotFile = Readonly<{ file: string; seq: number }>

export function snapshotFile(folder: string, seq: number): string {
  return join(folder, `${`${seq}`.padStart(16, '0')}.snap`)
}

export function listSnapshots(folder: string): readonly SnapshotFile[] {
  return readdirSync(folder)
    .filter((name) => /^\d{16}\.snap$/.test(name))
    .sort()
    .reverse()
    .map((name) => ({ file: join(folder, name), seq: Number.parseInt(name, 10) }))
}
