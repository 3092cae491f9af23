// A wall clock and its timers, moved by hand. Whatever a timer starts is given the turns of the
// event loop it needs before time goes on.

type Timer = Readonly<{ at: number; run: () => void }>

export async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((done) => setImmediate(done))
}

export class ManualTime {
  now: number
  private readonly waiting = new Set<Timer>()

  constructor(now: number) {
    this.now = now
  }

  readonly wall = (): number => this.now

  readonly timers = {
    after: (ms: number, run: () => void): (() => void) => {
      const timer = { at: this.now + ms, run }
      this.waiting.add(timer)
      return () => this.waiting.delete(timer)
    },
  }

  get armed(): number {
    return this.waiting.size
  }

  async pass(ms: number): Promise<void> {
    const until = this.now + ms
    for (;;) {
      const next = [...this.waiting].sort((one, other) => one.at - other.at)[0]
      if (next === undefined || next.at > until) break
      this.waiting.delete(next)
      this.now = Math.max(this.now, next.at)
      next.run()
      await settled()
    }
    this.now = until
    await settled()
  }
}
