// Names of the connections of read nodes. These connections end when the node is lost, not when the
// leader changes.

import { randomBytes } from 'node:crypto'

const mark = 'read-'

/** Returns a new prefix for the names of all connections of one run of a read node. */
export function newReaderOwner(): string {
  return `${mark}${randomBytes(9).toString('base64url')}/`
}

export function isReaderOwner(text: unknown): text is string {
  return typeof text === 'string' && /^read-[\w-]{12}\/$/.test(text)
}

/** Returns the owner of a connection, or `null` if the connection does not belong to a read
 *  node. */
export function readerOwnerOf(connection: string): string | null {
  return connection.startsWith(mark) ? connection.slice(0, connection.indexOf('/') + 1) : null
}
