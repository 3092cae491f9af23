// The signing key, from --key, OPENPERP_KEY, or a key file that only its owner may read. No secret
// is ever part of a message.

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Key, keyOfSecret, newKey } from '../client/key.ts'
import { sandboxKeys } from '../client/sandbox-keys.ts'
import { CliError, misused } from './frame/exit-codes.ts'
import { makeFolder } from './frame/make-folder.ts'
import type { Environment } from './frame/screen.ts'

export const keyOptions = {
  key: { value: '<secret|alice|bob>', about: 'key that signs requests; or OPENPERP_KEY' },
  'key-file': { value: '<file>', about: 'file with the key (default: ~/.openperp/key)' },
} as const

type Given = Readonly<{ key?: string; 'key-file'?: string }>

export type FoundKey = Readonly<{ key: Key; from: string }>

export function findKey(given: Given, environment: Environment): FoundKey {
  const found = keyIfAny(given, environment)
  if (found !== null) return found
  throw misused(
    `no key: there is none in --key, OPENPERP_KEY or ${keyFileOf(given, environment)}`,
    '`openperp key new` makes one; in a sandbox --key alice and --key bob have test money',
  )
}

/** `null` if none is configured. A configured key that cannot be used is an error. */
export function keyIfAny(given: Given, environment: Environment): FoundKey | null {
  if (given.key !== undefined) return { key: keyOfWord(given.key, '--key'), from: '--key' }
  const { OPENPERP_KEY: word } = environment
  if (given['key-file'] === undefined && word !== undefined && word !== '')
    return { key: keyOfWord(word, 'OPENPERP_KEY'), from: 'OPENPERP_KEY' }
  return readKeyFile(keyFileOf(given, environment), given['key-file'] !== undefined)
}

export function keyFileOf(given: Given, environment: Environment): string {
  const home = environment.HOME ?? homedir()
  const file = given['key-file'] ?? environment.OPENPERP_KEY_FILE
  return resolve(file ?? join(home, '.openperp', 'key'))
}

function keyOfWord(word: string, from: string): Key {
  const named = sandboxKeys.find(({ name }) => name === word)
  if (named !== undefined) return named.key
  try {
    return keyOfSecret(word)
  } catch (error) {
    const names = sandboxKeys.map(({ name }) => name).join(' or ')
    throw misused(`${from}: ${(error as Error).message}`, `or ${names}, in a sandbox`)
  }
}

function readKeyFile(file: string, required: boolean): FoundKey | null {
  let text: string
  try {
    requirePrivate(file)
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof CliError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && !required) return null
    if (code === 'ENOENT')
      throw misused(`there is no key file ${file}`, '`openperp key new` makes one')
    throw new CliError('refused', `${file} cannot be read: ${message}`)
  }
  return { key: keyOfWord(text, file), from: file }
}

/** A key that others can read is not secret; stop instead of signing with it. */
export function requirePrivate(file: string): void {
  if (process.platform === 'win32') return
  const mode = statSync(file).mode & 0o777
  if ((mode & 0o077) === 0) return
  throw new CliError(
    'refused',
    `${file} may be read by others (mode ${mode.toString(8).padStart(3, '0')}); it is not used`,
    { hint: `run chmod 600 ${file}, and consider whether the key was already read` },
  )
}

/** Writes a new key to a new file; existing files are never overwritten. */
export function writeNewKey(file: string): Key {
  const key = newKey()
  makeFolder(dirname(file), 0o700)
  try {
    writeFileSync(file, `${key.secret}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new CliError('refused', `${file} exists; a key is never written over`, {
      hint: 'name another file with --key-file, or move it away first',
    })
  }
  return key
}
