// The websocket of a browser. It can send no headers of its own, so that an API key goes unused.

import type { Socket } from './socket.ts'

declare const WebSocket: new (url: string) => Socket

export function openSocket(url: string): Socket {
  return new WebSocket(url)
}
