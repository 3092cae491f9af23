// What the sandbox's sources remember over a restart (held prices, stopped bots): a small file that
// is replaced whole.

import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileMode, makePrivateFolder } from '../journal/private-folder.ts'

export type MemoryFile = Readonly<{
  remembered: string | null
  remember(text: string): Promise<void>
}>

export const memoryFileName = 'sandbox-sources.json'

export function openMemoryFile(path: string): MemoryFile {
  makePrivateFolder(dirname(path))
  let writing: Promise<void> = Promise.resolve()
  return {
    remembered: readText(path),
    remember(text) {
      writing = writing.then(async () => {
        await writeFile(`${path}.new`, text, { mode: fileMode })
        await rename(`${path}.new`, path)
      })
      return writing
    },
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    // A new folder has none; whatever else keeps us from reading it is a fault.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
