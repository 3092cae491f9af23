// The settings as a table of Markdown, and the page that has it.

import { modes } from './about.ts'
import { aboutOf, flagOf, type SettingName, settingNames, variableOf } from './settings.ts'

const head = `| File | Variable | Flag | Default | Meaning |
|---|---|---|---|---|
`

export function settingsTable(): string {
  return head + settingNames.map((name) => `${rowOf(name)}\n`).join('')
}

function rowOf(name: SettingName): string {
  const { description, flagOnly } = aboutOf(name)
  const given = flagOnly ? ['', ''] : [code(name), code(variableOf(name))]
  const cells = [...given, code(flagOf(name)), defaultShown(name)]
  return `| ${cells.join(' | ')} | ${description === '' ? '' : `${description} `}|`
}

const code = (text: string) => `\`${text}\``

function defaultShown(name: SettingName): string {
  const about = aboutOf(name)
  if (about.defaultShown !== undefined) return about.defaultShown
  const { byMode } = about
  if (byMode === undefined) return shown(about.default)
  return modes.map((mode) => `${shown(byMode[mode])} in a ${mode}`).join(', ')
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : code(value.join(','))
  return code(typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value))
}

const begin = '<!-- settings: made by `npm run docs` from src/config/settings.ts -->\n\n'
const end = '\n<!-- end of settings -->\n'

/** The page with the table as it has to be. */
export function withSettings(page: string): string {
  const from = page.indexOf(begin) + begin.length
  const to = page.indexOf(end)
  if (from < begin.length || to < from) throw new Error('the page has no place for the settings')
  return page.slice(0, from) + settingsTable() + page.slice(to)
}
