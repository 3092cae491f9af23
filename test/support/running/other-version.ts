// The same program with another version: what a cluster runs while it is upgraded.

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Gives the path of its program. */
export function otherVersion(folder: string, version: string): string {
  mkdirSync(join(folder, 'dist'), { recursive: true })
  const described = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...described, version }))
  for (const name of ['node_modules', 'dist/web']) symlinkSync(join(root, name), join(folder, name))
  cpSync(join(root, 'dist/src'), join(folder, 'dist/src'), {
    recursive: true,
    filter: (path) => !/\.(?:map|d\.ts|test\.js)$/.test(path),
  })
  return join(folder, 'dist/src/main.js')
}
