// A wire between a client and an exchange that a test can cut, and lead to another exchange: what a
// client sees of a restart, without a port that someone else might take meanwhile.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class CutWire {
  private readonly server: Server
  private readonly ends = new Set<Socket>()
  private to: number
  private isMute = false

  private constructor(to: number) {
    this.to = to
    this.server = createServer((near) => this.join(near))
  }

  static async to(port: number): Promise<CutWire> {
    const wire = new CutWire(port)
    wire.server.listen(0, '127.0.0.1')
    await once(wire.server, 'listening')
    return wire
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** Every connection is closed immediately, without a reply. */
  cut(): void {
    for (const end of this.ends) end.destroy()
  }

  /** Everything the exchange sends from now on is lost; it still receives. */
  mute(): void {
    this.isMute = true
  }

  lead(port: number): void {
    this.to = port
  }

  close(): void {
    this.cut()
    this.server.close()
  }

  private join(near: Socket): void {
    const far = connect(this.to, '127.0.0.1')
    near.pipe(far)
    far.on('data', (bytes) => this.isMute || near.write(bytes))
    far.on('end', () => near.end())
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.ends.add(end)
      end.on('error', () => other.destroy())
      end.on('close', () => {
        this.ends.delete(end)
        other.destroy()
      })
    }
  }
}
