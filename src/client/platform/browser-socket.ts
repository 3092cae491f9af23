// The websocket of a browser. It can send no headers of its own.

import type { Socket, SocketMaker } from './socket.ts'

declare const WebSocket: new (url: string) => Socket

export const openSocket: SocketMaker = Object.assign((url: string) => new WebSocket(url), {
  leavesHeadersOut: true as const,
})
