// A network between two parts that a test can make slow, cut in one direction or both, and reset.
// What a cut holds back is delivered when it heals, as TCP would.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** `there`: from who connects to whom he connects to. */
export type Direction = 'there' | 'back'

type Held = Readonly<{ to: Socket; bytes: Buffer }>

export class Wire {
  private readonly server: Server
  /** Path of the socket at the other end. */
  private target: string
  private readonly ends = new Set<Socket>()
  private readonly cutNow = new Set<Direction>()
  private held: (Held & { direction: Direction })[] = []
  private delayMs = 0

  private constructor(target: string) {
    this.target = target
    this.server = createServer((near) => this.join(near))
  }

  static async to(target: string): Promise<Wire> {
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

  /** Everything from now on arrives so much later. */
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
    for (const { to, bytes } of held) if (!to.destroyed) to.write(bytes)
  }

  /** Both ends of each connection learn that it is gone. */
  reset(): void {
    for (const end of this.ends) end.resetAndDestroy()
  }

  close(): void {
    for (const end of this.ends) end.destroy()
    this.server.close()
  }

  private join(near: Socket): void {
    const far = connect(this.target)
    this.carry('there', near, far)
    this.carry('back', far, near)
  }

  private carry(direction: Direction, from: Socket, to: Socket): void {
    this.ends.add(from)
    from.on('data', (bytes) => {
      if (this.delayMs === 0) this.pass(direction, { to, bytes })
      else setTimeout(() => this.pass(direction, { to, bytes }), this.delayMs)
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      this.ends.delete(from)
      // The end of a connection does not come through a cut either.
      if (!this.cutNow.has(direction)) to.destroy()
    })
  }

  private pass(direction: Direction, { to, bytes }: Held): void {
    if (this.cutNow.has(direction)) this.held.push({ direction, to, bytes })
    else if (!to.destroyed) to.write(bytes)
  }
}
