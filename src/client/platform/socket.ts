// What the client uses of a websocket: what every browser's has, and `ws` too.

/** A websocket, as every browser has it. */
export type Socket = {
  /** Called when the connection is open. */
  onopen: (() => void) | null
  /** Called with every message. */
  onmessage: ((event: { data: unknown }) => void) | null
  /** Called once, when the connection has ended. */
  onclose: ((event: { code: number; reason: string }) => void) | null
  /** Called when something failed; `onclose` follows. */
  onerror: ((event: unknown) => void) | null
  /** Sends a text message. */
  send(text: string): void
  /** Closes the connection. */
  close(code?: number, reason?: string): void
}

/** Opens a connection. One that cannot send headers says so: the API key is then a message. */
export type SocketMaker = ((url: string, headers: Readonly<Record<string, string>>) => Socket) &
  Readonly<{ leavesHeadersOut?: true }>
