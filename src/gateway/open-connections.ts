// The open connections of this process, for routes of the sandbox that cut them, or that wait until
// everything was sent. The servers register themselves.

export type ConnectionKind = 'ws' | 'http'

/** `account`: address of the account whose connections are meant; `null` for all. */
export type Cut = Readonly<{ kind: ConnectionKind; account: string | null }>

export type ConnectionServer = Readonly<{
  /** Cuts connections without a closing handshake; returns how many. */
  drop(cut: Cut): number
  /** Sends what can be sent. `ignored`: number of requests that do not count. */
  send(ignored: number): Unsent
}>

/** Requests without a reply, and connections with unsent data. */
export type Unsent = Readonly<{ requests: number; connections: number }>

export class OpenConnections {
  private readonly servers = new Set<ConnectionServer>()
  /** Requests that wait until everything was sent. They do not wait for each other. */
  private waiting = 0

  /** Returns a function that removes the server again. */
  add(server: ConnectionServer): () => void {
    this.servers.add(server)
    return () => this.servers.delete(server)
  }

  drop(cut: Cut): number {
    return [...this.servers].reduce((total, server) => total + server.drop(cut), 0)
  }

  /** Runs `work`, which waits until nothing is unsent. */
  async whileWaiting<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1
    try {
      return await work()
    } finally {
      this.waiting -= 1
    }
  }

  /** Sends what can be sent, and returns how much is left. */
  send(): Unsent {
    const unsent = { requests: 0, connections: 0 }
    for (const server of this.servers) {
      const { requests, connections } = server.send(this.waiting)
      unsent.requests += requests
      unsent.connections += connections
    }
    return unsent
  }
}
