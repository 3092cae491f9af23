// A node gives a copy of its data folder to a machine that joins: the newest snapshot, the secret
// of API keys and the journal, over the link that both have the key of. Trading goes on meanwhile.

import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { filesToCopy } from '../back-up.ts'
import { encodeMessage, FILE, LAST, PIECE } from '../link/messages.ts'
import type { OpenedFolder } from '../opened-folder.ts'

const pieceBytes = 1_024 * 1_024
/** Nothing is removed from our folder during a copy, so it must not take forever. */
const stuckMsMax = 10_000

/** Rejects if the joining node disconnects, or is too slow. */
export async function giveFolder(stream: Duplex, opened: OpenedFolder): Promise<void> {
  // Whatever happens to the stream ends with its close.
  stream.on('error', () => undefined)
  stream.resume()
  await opened.snapshotNow()
  await opened.undisturbed(async () => {
    const { root, journal } = opened.parts
    const { seq } = journal
    for (const name of filesToCopy(root)) await giveFile(stream, root, name)
    await send(stream, encodeMessage(LAST, Buffer.from(JSON.stringify({ seq }))))
  })
  stream.end()
}

async function giveFile(stream: Duplex, root: string, name: string): Promise<void> {
  await send(stream, encodeMessage(FILE, Buffer.from(JSON.stringify({ name }))))
  const file = await open(join(root, name))
  try {
    // As long as it is now; what is added meanwhile is in the chain.
    const { size } = await file.stat()
    const piece = Buffer.alloc(pieceBytes)
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(piece, 0, Math.min(pieceBytes, size - at), at)
      if (bytesRead === 0) return
      at += bytesRead
      await send(stream, encodeMessage(PIECE, piece.subarray(0, bytesRead)))
    }
  } finally {
    await file.close()
  }
}

/** Resolves when there is room for more. */
function send(stream: Duplex, message: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const stuck = setTimeout(() => stream.destroy(new Error('too slow')), stuckMsMax)
    stream.write(message, (error) => {
      clearTimeout(stuck)
      if (error == null) resolve()
      else reject(error)
    })
  })
}
