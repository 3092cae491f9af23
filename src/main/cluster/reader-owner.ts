// Names of connections that end with a node that reads, and not with a change of the leader.

import { randomBytes } from 'node:crypto'

const mark = 'read-'

/** What the names of the connections of one life of such a node begin with. */
export function newReaderOwner(): string {
  return `${mark}${randomBytes(9).toString('base64url')}/`
}

export function isReaderOwner(text: unknown): text is string {
  return typeof text === 'string' && /^read-[\w-]{12}\/$/.test(text)
}

/** Of a connection; null: it is of no such node. */
export function readerOwnerOf(connection: string): string | null {
  return connection.startsWith(mark) ? connection.slice(0, connection.indexOf('/') + 1) : null
}
