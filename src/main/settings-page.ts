// The generated page docs/operating/running.md with its table of settings, and its path.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { withSettings } from '../config/settings-table.ts'

export const settingsPageFile = fileURLToPath(
  new URL('../../../docs/operating/running.md', import.meta.url),
)

export function settingsPage(): string {
  return withSettings(readFileSync(settingsPageFile, 'utf8'))
}
