// What was found out before: whether a program notices a fault, until the program, the module or
// anything that the program loads changes.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Program } from './programs.ts'

export class Known {
  private readonly file: string
  private readonly found: Record<string, boolean>

  constructor(file: string) {
    this.file = file
    mkdirSync(dirname(file), { recursive: true })
    try {
      this.found = JSON.parse(readFileSync(file, 'utf8'))
    } catch {
      // Nothing was tried yet, or it was stopped while it wrote: it is all found out again.
      this.found = {}
    }
  }

  async ask({ digest }: Program, text: string, find: () => Promise<boolean>): Promise<boolean> {
    const key = createHash('sha256').update(digest).update(text).digest('hex')
    const before = this.found[key]
    if (before !== undefined) return before
    const noticed = await find()
    this.found[key] = noticed
    writeFileSync(this.file, JSON.stringify(this.found))
    return noticed
  }
}
