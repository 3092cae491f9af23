// Preloaded before tests: one module has another text. MUTANT_FILE names a JSON file with the
// address of the module and its text.

import { readFileSync } from 'node:fs'
import { register } from 'node:module'

export type Replaced = Readonly<{ url: string; source: string }>
type Loaded = Readonly<{ format: string; source: string; shortCircuit: boolean }>

let replaced: Replaced

export function initialize(data: Replaced): void {
  replaced = data
}

export async function load(
  url: string,
  context: unknown,
  next: (url: string, context: unknown) => Promise<Loaded>,
): Promise<Loaded> {
  if (url !== replaced.url) return next(url, context)
  return { format: 'module', source: replaced.source, shortCircuit: true }
}

const file = process.env.MUTANT_FILE
if (file !== undefined)
  register(import.meta.url, { data: JSON.parse(readFileSync(file, 'utf8')) as Replaced })
