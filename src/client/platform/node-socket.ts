// The websocket of Node: the package `ws`, which every Node we run on can load, and which can send
// the header of an API key.

import { WebSocket } from 'ws'
import type { Socket } from './socket.ts'

export function openSocket(url: string, headers: Readonly<Record<string, string>>): Socket {
  return new WebSocket(url, { headers, perMessageDeflate: false }) as unknown as Socket
}
