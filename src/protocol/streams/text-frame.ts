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
