// A websocket. The library answers protocol pings.

import type { WebSocket } from 'ws'
import { headersOf, messageBytesMax, type OpenWire } from './wire.ts'

export function websocketWire(Socket: typeof WebSocket): OpenWire {
  return (address, ears) => {
    const socket = new Socket(address.url, {
      headers: headersOf(address),
      maxPayload: messageBytesMax,
      perMessageDeflate: false,
      followRedirects: false,
    })
    let why = 'the other side closed'
    socket.on('open', () => ears.opened())
    socket.on('message', (bytes) => ears.said(String(bytes), null))
    socket.on('ping', () => ears.stirred())
    socket.on('error', (error) => {
      why = error.message
    })
    socket.on('close', (code) => ears.ended(code === 1006 ? why : `${why} (${code})`))
    return {
      send: (text) => socket.send(text, () => undefined),
      close: () => socket.terminate(),
    }
  }
}
