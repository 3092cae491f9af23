// The texts of the assertions, read from the sources.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Assertion = Readonly<{ text: string; file: string }>

// The text of `broken`, up to what is put into it.
const call = /\bbroken\(\s*(['"`])((?:(?!\1|\$\{)[\s\S])*)/g

export function assertionsOf(folder: string): Assertion[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const found: Assertion[] = []
  for (const name of files.sort()) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    const file = join(folder, name)
    for (const [, , text] of readFileSync(file, 'utf8').matchAll(call))
      found.push({ text: text!.trim(), file })
  }
  return found
}
