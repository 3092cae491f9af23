// What the client uses of a websocket: what every browser's has, and `ws` too.

export type Socket = {
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event: { code: number; reason: string }) => void) | null
  onerror: ((event: unknown) => void) | null
  send(text: string): void
  close(code?: number, reason?: string): void
}

/** Opens a connection; where headers cannot be sent, they are left out. */
export type SocketMaker = (url: string, headers: Readonly<Record<string, string>>) => Socket
