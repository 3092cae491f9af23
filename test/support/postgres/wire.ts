// A network between two parts that a test can make slow, cut in one direction or both, and reset.
// What a cut holds back is delivered when it heals, as TCP would.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** `there`: from the connecting side to the other. */
export type Direction = 'there' | 'back'

/** Null: the end of the connection. */
type Held = Readonly<{ to: Socket; bytes: Buffer | null }>

/** At the other end: path of a socket, or a port of this machine. */
type Target = string | number

export class Wire {
  private readonly server: Server
  private readonly target: Target
  private readonly ends = new Set<Socket>()
  private readonly cutNow = new Set<Direction>()
  private held: Held[] = []
  private delayMs = 0

  private constructor(target: Target) {
    this.target = target
    this.server = createServer((near) => this.join(near))
  }

  static async to(target: Target): Promise<Wire> {
    const wire = new Wire(target)
    wire.server.listen(0, '127.0.0.1')
    await once(wire.server, 'listening')
    wire.server.unref()
    return wire
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  get address(): string {
    return `host=127.0.0.1 port=${this.port}`
  }

  /** From now on everything arrives this much later. */
  slow(ms: number): void {
    this.delayMs = ms
  }

  cut(...directions: readonly Direction[]): void {
    for (const direction of directions) this.cutNow.add(direction)
  }

  heal(): void {
    this.delayMs = 0
    this.cutNow.clear()
    const { held } = this
    this.held = []
    for (const each of held) deliver(each)
  }

  /** Both ends of each connection see it closed. */
  reset(): void {
    for (const end of this.ends) {
      // What ends in a folder knows no reset.
      if (end.remoteAddress === undefined) end.destroy()
      else end.resetAndDestroy()
    }
  }

  close(): void {
    for (const end of this.ends) end.destroy()
    this.server.close()
  }

  private join(near: Socket): void {
    const { target } = this
    const far = typeof target === 'string' ? connect(target) : connect(target, '127.0.0.1')
    this.carry('there', near, far)
    this.carry('back', far, near)
  }

  private carry(direction: Direction, from: Socket, to: Socket): void {
    this.ends.add(from)
    // What comes later never overtakes what is still on its way.
    const under: Held[] = []
    const send = (what: Held) => {
      if (this.delayMs === 0 && under.length === 0) return this.pass(direction, what)
      under.push(what)
      setTimeout(() => this.pass(direction, under.shift()!), this.delayMs)
    }
    from.on('data', (bytes) => send({ to, bytes }))
    // A reset is followed by the close.
    from.on('error', () => undefined)
    from.on('close', () => {
      this.ends.delete(from)
      // The end of a connection does not come through a cut either.
      send({ to, bytes: null })
    })
  }

  private pass(direction: Direction, what: Held): void {
    if (this.cutNow.has(direction)) this.held.push(what)
    else deliver(what)
  }
}

function deliver({ to, bytes }: Held): void {
  if (bytes === null) to.destroy()
  else if (!to.destroyed) to.write(bytes)
}
