// Names of connections of read nodes, which end with the node and not with a change of the leader.

import { randomBytes } from 'node:crypto'

const mark = 'read-'

/** Prefix of the names of all connections of one run of a read node. */
export function newReaderOwner(): string {
  return `${mark}${randomBytes(9).toString('base64url')}/`
}

export function isReaderOwner(text: unknown): text is string {
  return typeof text === 'string' && /^read-[\w-]{12}\/$/.test(text)
}

/** Owner of a connection; `null` if it does not belong to a read node. */
export function readerOwnerOf(connection: string): string | null {
  return connection.startsWith(mark) ? connection.slice(0, connection.indexOf('/') + 1) : null
}
