// Run by the build: writes the declarations of the typed client in place of the compiler's, and
// copies them for programs compiled to CommonJS modules, which cannot import the types of ES
// modules.

import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { declarations } from './declarations.ts'

const at = (name: string) => fileURLToPath(new URL(`../../client/${name}`, import.meta.url))

// If an incremental compiler run changed nothing, our previous output is still in place.
const written = declarations()
const [head] = written.split('\n')
const own = "export type * from './methods.js'\n"
if (!readFileSync(at('methods.d.ts'), 'utf8').startsWith(head!))
  renameSync(at('methods.d.ts'), at('mapped-methods.d.ts'))
writeFileSync(at('methods.d.ts'), written)
if (!readFileSync(at('index.d.ts'), 'utf8').endsWith(own)) appendFileSync(at('index.d.ts'), own)

const root = fileURLToPath(new URL('../..', import.meta.url))
const copies = join(root, 'commonjs')

function copy(name: string, copied: Set<string>): void {
  if (copied.has(name)) return
  copied.add(name)
  const text = readFileSync(join(root, name), 'utf8')
  mkdirSync(dirname(join(copies, name)), { recursive: true })
  writeFileSync(join(copies, name), text)
  for (const [, from] of text.matchAll(/ from '(\.[^']+)\.[jt]s'/g))
    copy(`${join(dirname(name), from!)}.d.ts`, copied)
}

rmSync(copies, { recursive: true, force: true })
copy('client/index.d.ts', new Set())
writeFileSync(join(copies, 'package.json'), '{ "type": "commonjs" }\n')
