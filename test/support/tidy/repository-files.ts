// The files of the clone, as the checks of style read them.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

export type File = Readonly<{ path: string; text: string }>

const root = (() => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
})()

/** Every file of the clone that git would keep: all but the folders that `.gitignore` names. */
export function repositoryFiles(): readonly File[] {
  const ignored = new Set([
    '.git',
    ...readFileSync(join(root, '.gitignore'), 'utf8').split(/\/?\n/),
  ])
  const found: File[] = []
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name)
      if (ignored.has(entry.name)) continue
      if (entry.isDirectory()) visit(path)
      else if (entry.isFile()) found.push({ path, text: readFileSync(join(root, path), 'utf8') })
    }
  }
  visit('.')
  return found
}
