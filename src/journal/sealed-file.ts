// A file with some facts about itself and a content, sealed by the SHA-256 of both. Snapshots use
// this format; their content is opaque to the journal.

import { closeSync, openSync, readSync } from 'node:fs'
import { writeAtomically } from './atomic-file.ts'
import { sealLength, sha256 } from './frame.ts'
import { JournalFault } from './journal-fault.ts'

const magic = Buffer.from('OPSEALED', 'latin1')
const formatVersion = 1
const headLength = 16
const factsMax = 32 * 1_024 * 1_024

export type Sealed<Facts> = Readonly<{ facts: Facts; content: Buffer }>

export function encodeSealed(facts: unknown, content: Uint8Array): readonly Uint8Array[] {
  const text = Buffer.from(JSON.stringify(facts))
  const head = Buffer.alloc(headLength)
  head.set(magic)
  head.writeUInt32LE(formatVersion, 8)
  head.writeUInt32LE(text.length, 12)
  return [head, text, content, sha256(head, text, content)]
}

/** Writes a sealed file; resolves when it is complete and durable. */
export async function writeSealed(
  file: string,
  facts: unknown,
  content: Uint8Array,
): Promise<void> {
  await writeAtomically(file, encodeSealed(facts, content))
}

export function decodeSealed<Facts>(file: string, bytes: Buffer): Sealed<Facts> {
  const end = bytes.length - sealLength
  const whole =
    end >= headLength &&
    bytes.subarray(0, magic.length).equals(magic) &&
    bytes.subarray(end).equals(sha256(bytes.subarray(0, end)))
  if (!whole) throw new JournalFault('SNAPSHOT_DAMAGED', `${file} is damaged`)
  const version = bytes.readUInt32LE(8)
  if (version !== formatVersion)
    throw new JournalFault('FORMAT_UNKNOWN', `${file} has format ${version}`)
  const from = headLength + bytes.readUInt32LE(12)
  const facts = JSON.parse(bytes.toString('utf8', headLength, from)) as Facts
  return { facts, content: bytes.subarray(from, end) }
}

/** Reads only the facts, without checking the seal, to list many files quickly. Returns `null` if
 *  the file has another format. */
export function readFacts<Facts>(file: string): Facts | null {
  const opened = openSync(file, 'r')
  try {
    const head = readStretch(opened, 0, headLength)
    if (!head.subarray(0, magic.length).equals(magic)) return null
    const text = readStretch(opened, headLength, Math.min(head.readUInt32LE(12), factsMax))
    return JSON.parse(text.toString('utf8')) as Facts
  } catch {
    // The file is truncated or damaged. Readers of the content detect this by the seal.
    return null
  } finally {
    closeSync(opened)
  }
}

function readStretch(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, position))
}
