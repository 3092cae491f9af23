// Reloads modules again and again in one process: with a fault in one of them, and without anything
// that an earlier fault has left behind. Unused modules are collected. Needs
// --experimental-vm-modules.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SourceTextModule } from 'node:vm'

export type Replaced = Readonly<{ path: string; text: string }>

const texts = new Map<string, string>()

function textOf(path: string): string {
  const known = texts.get(path)
  if (known !== undefined) return known
  // A map of the source would be read again each time.
  const text = readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n')
  texts.set(path, text)
  return text
}

/** What the module exports; its imports are all relative. */
export async function loadFresh<T>(path: string, replaced: Replaced | null): Promise<T> {
  const modules = new Map<string, SourceTextModule>()
  const moduleAt = (place: string): SourceTextModule => {
    const known = modules.get(place)
    if (known !== undefined) return known
    const text = place === replaced?.path ? replaced.text : textOf(place)
    const made = new SourceTextModule(text, { identifier: place })
    modules.set(place, made)
    return made
  }
  const entry = moduleAt(path)
  await entry.link((name, { identifier }) => moduleAt(join(dirname(identifier), name)))
  await entry.evaluate()
  return entry.namespace as T
}
