// Ends of replies on a bare socket, for clients that spend no time on reading them.

const headEnd = Buffer.from('\r\n\r\n')
const lengthName = Buffer.from('ontent-length: ', 'latin1')

/** End of the reply that starts these bytes; -1 if not known yet. */
export function replyEnd(bytes: Buffer): number {
  const head = bytes.indexOf(headEnd)
  if (head < 0) return -1
  let at = bytes.indexOf(lengthName)
  if (at < 0 || at > head) throw new Error('a reply without content-length')
  let length = 0
  for (at += lengthName.length; bytes[at]! >= 0x30 && bytes[at]! <= 0x39; at++)
    length = length * 10 + bytes[at]! - 0x30
  return head + headEnd.length + length
}
