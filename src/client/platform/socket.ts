// What the client uses of a websocket: what every browser's has, and `ws` too.

export type Socket = {
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event: { code: number; reason: string }) => void) | null
  onerror: ((event: unknown) => void) | null
  send(text: string): void
  close(code?: number, reason?: string): void
}

/** Opens a connection. One that cannot send headers says so: the API key is then a message. */
export type SocketMaker = ((url: string, headers: Readonly<Record<string, string>>) => Socket) &
  Readonly<{ leavesHeadersOut?: true }>
