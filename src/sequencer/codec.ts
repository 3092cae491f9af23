// Encodes entries as records and decodes them exactly, so that replay applies the same values as
// the original run. Frequent commands have records of fixed fields (core/records/), from which the
// core applies them without creating objects. All other entries are JSON after the same header.

import {
  type Command,
  headBytes,
  place,
  RecordReader,
  RecordWriter,
  writeCommand,
} from '../core/index.ts'
import type { By, Entry, Times } from './entry.ts'
import { inexactField } from './exact.ts'
import { authorFault, commandFault } from './link/command-shape.ts'
import { unnamedFault } from './link/named-credits.ts'
import { NodeOutdated } from './not-taken.ts'

/** An entry without its seq, which is the position of its record in the journal. */
export type Stamped = Times & Readonly<{ entry: Entry }>

/** Maximum bytes of a record. A batch of 256 records of this size still fits in a frame. */
export const recordBytesMax = 128 * 1_024
export const controlBytesMax = 32 * 1_024 * 1_024

export class EntryNotExact extends Error {
  override readonly name = 'EntryNotExact'
  readonly code = 'ENTRY_NOT_EXACT'
}

/** The encoded record, valid until the next one is encoded. Its times are 0. */
export type Written = Uint8Array

export class EntryWriter {
  private readonly writer = new RecordWriter()

  command(command: Command, by: By | null): Written {
    if (by === null && writeCommand(this.writer, command)) return this.writer.record
    return this.spelled({ kind: 'command', command, by })
  }

  entry(entry: Entry): Written {
    return entry.kind === 'command' ? this.command(entry.command, entry.by) : this.spelled(entry)
  }

  private spelled(entry: Entry): Written {
    const inexact = inexactField(entry, 'entry')
    if (inexact !== null) throw new EntryNotExact(`${inexact} could not be read back as it is`)
    const text = Buffer.from(JSON.stringify(entry))
    const length = headBytes + text.length
    const most = entry.kind === 'command' ? recordBytesMax : controlBytesMax
    if (length > most) throw new EntryNotExact(`an entry of ${length} bytes`)
    const bytes = Buffer.alloc(length)
    bytes.writeUInt32LE(text.length, place.tailBytes)
    bytes.set(text, headBytes)
    return bytes
  }
}

export class EntryReader {
  private readonly reader = new RecordReader((bytes, from, to) =>
    (bytes as Buffer).toString('latin1', from, to),
  )

  /** Engine time of the last record that was read. */
  get atMs(): number {
    return this.reader.cursor.atMs
  }

  get stampMs(): number {
    return this.reader.cursor.stampMs
  }

  get type(): number {
    return this.reader.cursor.type
  }

  /** Reads the fields of a command for the core, valid until the next call; `null` if the record is
   *  JSON. */
  command(bytes: Buffer, from: number, to: number): Command | null {
    const command = this.reader.read(bytes, from, to)
    this.requireRead()
    return command
  }

  /** Reads the whole entry as an object that the caller may keep. */
  entry(bytes: Buffer, from: number, to: number): Entry {
    const command = this.reader.readWhole(bytes, from, to)
    this.requireRead()
    return command === null ? this.spelled(bytes, to) : { kind: 'command', command, by: null }
  }

  /** Reads the command of a record that another process wrote; throws if it is invalid. */
  commandIn(record: Buffer): Command {
    const command = this.command(record, 0, record.length)
    if (command !== null) return command
    const entry = this.entry(record, 0, record.length)
    if (entry.kind !== 'command' || record.length > recordBytesMax)
      throw new EntryNotExact(`not a record of a command: ${entry.kind}, ${record.length} bytes`)
    const fault = spelledFault(entry)
    if (fault !== null) throw new EntryNotExact(`not a record of a command: ${fault}`)
    const unnamed = unnamedFault(entry.command, entry.by)
    if (unnamed !== null) throw new NodeOutdated(unnamed)
    return entry.command
  }

  private requireRead(): void {
    const { fault } = this.reader.cursor
    if (fault !== '') throw new EntryNotExact(`not a record: ${fault}`)
  }

  private spelled(bytes: Buffer, to: number): Entry {
    const text = bytes.toString('utf8', this.reader.cursor.at, to)
    try {
      const entry = JSON.parse(text) as Entry
      if (fieldsOf[entry?.kind] === Object.keys(entry).sort().join()) return entry
    } catch {
      // Malformed JSON is reported below like any other malformed record.
    }
    throw new EntryNotExact(`not a record: its text is ${text.slice(0, 80)}`)
  }
}

/** Checks a JSON command of another process, because the core must not receive unknown fields. */
function spelledFault({ command, by }: Extract<Entry, { kind: 'command' }>): string | null {
  if (typeof command !== 'object' || command === null) return 'it has no fields'
  return commandFault({ ...command }) ?? authorFault(by) ?? inexactField(command, 'command')
}

/** The fields of each kind of entry. */
const fieldsOf: Readonly<Record<Entry['kind'], string>> = {
  command: 'by,command,kind',
  snapshot: 'by,id,kind,sources',
  revert: 'by,id,kind',
}

/** Engine time of the record at this offset. */
export function recordTime(bytes: Buffer, from: number): number {
  return bytes.readDoubleLE(from + place.time)
}

const writer = new EntryWriter()
const reader = new EntryReader()

/** The record of an entry. */
export function encodeEntry({ atMs, stampMs = 0, entry }: Stamped): Buffer {
  const record = Buffer.from(writer.entry(entry))
  record.writeDoubleLE(atMs, place.time)
  record.writeDoubleLE(stampMs, place.stamp)
  return record
}

export function decodeEntry(bytes: Buffer, from: number, to: number): Stamped {
  const entry = reader.entry(bytes, from, to)
  const { atMs, stampMs } = reader
  return stampMs === 0 ? { atMs, entry } : { atMs, stampMs, entry }
}
