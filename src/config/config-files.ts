// The files that settings are in: JSON, or lines of variables as a shell has them, with comments;
// and tokens, which only their owner may read.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { ConfigError } from './config-error.ts'
import { filedNames, variableOf } from './settings.ts'

export type FileSetting = Readonly<{ name: string; value: unknown; from: string }>

/** What `openperp init venue` writes, and a start in its folder reads unasked. */
export const usualFile = 'openperp.env'

export function usualFileIn(folder: string): string | undefined {
  const file = join(folder, usualFile)
  return existsSync(file) ? file : undefined
}

export function settingsIn(file: string): readonly FileSetting[] {
  return file.endsWith('.env') ? variablesIn(file) : objectIn(file)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw unreadable(file, error)
  }
}

const unreadable = (file: string, error: unknown) =>
  new ConfigError(`the configuration file ${file} cannot be read: ${(error as Error).message}`)

function objectIn(file: string): readonly FileSetting[] {
  const text = textOf(file)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw unreadable(file, error)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new ConfigError(`the configuration file ${file} must hold one JSON object`)
  return Object.entries(parsed).map(([name, value]) => {
    if (filedNames.some((each) => each === name)) return { name, value, from: `${name} in ${file}` }
    const there = filedNames.join(', ')
    throw new ConfigError(`${file}: there is no setting ${name}; there are ${there}`)
  })
}

function variablesIn(file: string): readonly FileSetting[] {
  const given = Object.entries(parseEnv(textOf(file)) as Record<string, string>)
  return given.map(([variable, value]) => {
    const name = filedNames.find((each) => variableOf(each) === variable)
    if (name !== undefined) return { name, value, from: `${variable} in ${file}` }
    const there = filedNames.map(variableOf).join(', ')
    throw new ConfigError(`${file}: there is no setting ${variable}; there are ${there}`)
  })
}

/** Lines of `name:token:scope+scope`, as the setting adminTokens takes them. */
export function tokenLinesIn(file: string): string {
  try {
    const mode = statSync(file).mode & 0o777
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new ConfigError(
        `the token file ${file} can be read by other users (mode ${mode.toString(8)}): run chmod ` +
          `600 ${file}, and replace the tokens if someone may have read them`,
      )
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .join(',')
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`the token file ${file} cannot be read: ${(error as Error).message}`)
  }
}
