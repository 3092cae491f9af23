// Encodes a websocket text message of a server: unmasked, in one fragment. All readers get the same
// bytes, so that a message is encoded once.

const finalText = 0x81

export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const bytes = Buffer.allocUnsafe(head + length)
  bytes[0] = finalText
  if (head === 2) bytes[1] = length
  else if (head === 4) {
    bytes[1] = 126
    bytes.writeUInt16BE(length, 2)
  } else {
    bytes[1] = 127
    bytes.writeUInt32BE(0, 2)
    bytes.writeUInt32BE(length, 6)
  }
  bytes.write(text, head)
  return bytes
}

/** Where the length of a frame is. */
const lengthAt = { medium: 2, long: 6 } as const

/** Number of bytes of the frame that starts here. */
export function frameSizeAt(bytes: Buffer, at: number): number {
  const short = bytes[at + 1]!
  if (short < 126) return 2 + short
  if (short === 126) return 4 + bytes.readUInt16BE(at + lengthAt.medium)
  return 10 + bytes.readUInt32BE(at + lengthAt.long)
}

/** Where the text of a frame begins. */
export const textAt = (frame: Buffer) => (frame[1]! < 126 ? 2 : frame[1] === 126 ? 4 : 10)
