// The secret from which API keys are derived: one file in the data folder, created once, complete
// and durable before any key is created. History does not need it: a key is identified by its
// digest, and the secret is only used to show the key again.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomically } from '../journal/atomic-file.ts'
import { JournalFault } from '../journal/journal-fault.ts'

const secretBytes = 32

export type KeySecret = Readonly<{
  secret: Uint8Array
  /** Whether the folder had no secret before. */
  isNew: boolean
}>

export function keySecretFile(folder: string): string {
  return join(folder, 'api-key-secret')
}

export async function openKeySecret(folder: string): Promise<KeySecret> {
  const file = keySecretFile(folder)
  const text = textOf(file)
  if (text !== null) return { secret: secretOf(text, file), isNew: false }
  const secret = randomBytes(secretBytes)
  await writeAtomically(file, [Buffer.from(`${secret.toString('hex')}\n`)])
  return { secret, isNew: true }
}

/** Removes the secret from the folder of a read node, which must not have it. */
export async function forgetKeySecret(folder: string): Promise<void> {
  await rm(keySecretFile(folder), { force: true })
}

/** Replaces the folder's secret by the one that all nodes of a cluster share. */
export async function keepKeySecret(folder: string, secret: Uint8Array): Promise<void> {
  const file = keySecretFile(folder)
  const text = `${Buffer.from(secret).toString('hex')}\n`
  if (textOf(file) !== text) await writeAtomically(file, [Buffer.from(text)])
}

function secretOf(text: string, file: string): Uint8Array {
  const hex = text.trim()
  if (hex.length === secretBytes * 2 && /^[0-9a-f]+$/.test(hex)) return Buffer.from(hex, 'hex')
  throw new JournalFault(
    'JOURNAL_DAMAGED',
    `${file} is damaged: restore it from a backup, or remove it: a start then makes another, and ` +
      'API keys made before stay valid but are listed without their secret part',
  )
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    // A new folder has no secret file; any other read error is a fault.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
