// Names of the connections of read nodes. These connections end when the node is lost, not when the
// leader changes. The name contains a digest of the node's name, which its key proves, so that no
// node can end the connections of another.

import { createHash, randomBytes } from 'node:crypto'

const mark = 'read-'
const digestLength = 6
const randomSize = 6

const digestOf = (node: string) =>
  createHash('sha256').update(node).digest('base64url').slice(0, digestLength)

/** Returns a new prefix for the names of all connections of one run of this read node. */
export function newReaderOwner(node: string): string {
  return `${mark}${digestOf(node)}${randomBytes(randomSize).toString('base64url')}/`
}

/** Whether the text is a prefix of connections of this read node. */
export function isReaderOwner(node: string, text: unknown): text is string {
  const start = `${mark}${digestOf(node)}`
  return typeof text === 'string' && text.startsWith(start) && /^read-[\w-]{14}\/$/.test(text)
}

/** Returns the owner of a connection, or `null` if the connection does not belong to a read
 *  node. */
export function readerOwnerOf(connection: string): string | null {
  return connection.startsWith(mark) ? connection.slice(0, connection.indexOf('/') + 1) : null
}
