// CRC32 of ASCII text, as in zip files and Ethernet.

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc >>> 0
})

export function crc32(text: string): number {
  let crc = 0xffffffff
  for (let at = 0; at < text.length; at++)
    crc = table[(crc ^ text.charCodeAt(at)) & 0xff]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
