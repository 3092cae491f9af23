// Sends a copy of the data folder to a machine that joins the cluster: the newest snapshot, the
// journal and, to a trading node, the secret of API keys. Trading continues meanwhile.

import { open } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Duplex } from 'node:stream'
import { filesToCopy } from '../back-up.ts'
import { keySecretFile } from '../key-secret.ts'
import { encodeMessage, FILE, LAST, PIECE } from '../link/messages.ts'
import type { OpenedFolder } from '../opened-folder.ts'

const pieceBytes = 1_024 * 1_024
/** A copy that makes no progress for this long is aborted, because no file of our folder may be
 *  removed while it runs. */
const stuckMsMax = 10_000

/** Sends the copy; rejects if the joining node disconnects or is too slow. */
export async function giveFolder(
  stream: Duplex,
  opened: OpenedFolder,
  withSecret: boolean,
): Promise<void> {
  // Errors are ignored here, because every error is followed by the stream's close event.
  stream.on('error', () => undefined)
  stream.resume()
  await opened.snapshotNow()
  await opened.undisturbed(async () => {
    const { root, journal } = opened.parts
    const { seq } = journal
    const secret = relative(root, keySecretFile(root))
    for (const name of filesToCopy(root))
      if (withSecret || name !== secret) await giveFile(stream, root, name)
    await send(stream, encodeMessage(LAST, Buffer.from(JSON.stringify({ seq }))))
  })
  stream.end()
}

async function giveFile(stream: Duplex, root: string, name: string): Promise<void> {
  await send(stream, encodeMessage(FILE, Buffer.from(JSON.stringify({ name }))))
  const file = await open(join(root, name))
  try {
    // Only the current length is sent; later entries are read from the chain.
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

/** Sends a message; resolves when the stream accepts more. */
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
