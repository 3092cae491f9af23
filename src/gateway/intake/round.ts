// Waiting connections in fair order: round-robin between addresses, and within an address between
// its connections.

/** The fields of a connection that scheduling needs. */
export type Waiting = Readonly<{ ipKey: string }>

export class Round<Line extends Waiting> {
  /** Connections by address, in the order in which addresses get their turn. */
  private readonly waiting = new Map<string, Line[]>()

  get addresses(): number {
    return this.waiting.size
  }

  linesOf(ipKey: string): number {
    return this.waiting.get(ipKey)?.length ?? 0
  }

  add(line: Line): void {
    const lines = this.waiting.get(line.ipKey)
    if (lines === undefined) this.waiting.set(line.ipKey, [line])
    else lines.push(line)
  }

  /** The next connection, considering only addresses that `mayHave` allows. */
  next(mayHave: (ipKey: string) => boolean): Line | undefined {
    for (const [ipKey, lines] of this.waiting) {
      if (!mayHave(ipKey)) continue
      const line = lines.shift()!
      this.waiting.delete(ipKey)
      if (lines.length > 0) this.waiting.set(ipKey, lines)
      return line
    }
    return undefined
  }
}
