// Copies a node's data folder over the link to a machine that joins a cluster. The copy is moved
// into place only when it is complete.

import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmdirSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncFolder, unfinished } from '../../journal/atomic-file.ts'
import { fileMode, makeFolder } from '../../journal/private-folder.ts'
import { makeCopyFolder } from '../back-up.ts'
import { FILE, LAST, type Message, MessageReader, PIECE } from '../link/messages.ts'

/** Names of the files of a data folder. Other files are not accepted. */
const fileName =
  /^(?:genesis\.json|api-key-secret|checkpoints|(?:journal|snapshots|saved)\/[\w.-]{1,128})$/

export class FolderNotEmpty extends Error {
  override readonly name = 'FolderNotEmpty'
}

/** Throws if the folder is not empty. */
export function requireEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new FolderNotEmpty(`${folder} is not empty: what is there would be lost`)
}

/** Copies the folder; resolves with a seq up to which the copy is certainly complete. */
export async function fetchFolder(stream: Readable, folder: string): Promise<number> {
  requireEmpty(folder)
  makeFolder(dirname(folder))
  const target = `${folder}.${randomUUID()}${unfinished}`
  await makeCopyFolder(target)
  const copy = new Copy(target)
  try {
    const seq = await copy.take(stream)
    if (existsSync(folder)) rmdirSync(folder)
    await rename(target, folder)
    await syncFolder(dirname(folder))
    return seq
  } catch (error) {
    await copy.close()
    await rm(target, { recursive: true, force: true })
    throw error
  }
}

class Copy {
  private readonly folder: string
  private readonly messages = new MessageReader()
  private file: FileHandle | null = null

  constructor(folder: string) {
    this.folder = folder
  }

  async take(stream: Readable): Promise<number> {
    for await (const piece of stream) {
      this.messages.push(piece as Buffer)
      for (let next = this.messages.next(); next !== null; next = this.messages.next()) {
        const seq = await this.hear(next)
        if (seq !== null) return seq
      }
    }
    throw new Error('the node that gave its folder was lost before the end')
  }

  async close(): Promise<void> {
    const { file } = this
    this.file = null
    await file?.sync()
    await file?.close()
  }

  /** Writes received files; returns the seq of the copy when it is complete, before that `null`. */
  private async hear({ kind, bytes }: Message): Promise<number | null> {
    if (kind === PIECE) {
      await this.file!.writeFile(bytes)
      return null
    }
    if (kind !== FILE && kind !== LAST) throw new RangeError(`a message of kind ${kind}`)
    await this.close()
    const said = JSON.parse(bytes.toString('utf8')) as { name?: string; seq?: number }
    if (kind === LAST) return said.seq!
    const { name = '' } = said
    if (!fileName.test(name) || name.includes('..')) throw new RangeError(`a file named ${name}`)
    this.file = await open(join(this.folder, name), 'wx', fileMode)
    return null
  }
}
