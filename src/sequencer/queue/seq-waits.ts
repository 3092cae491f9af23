// Callers that wait until an entry is part of the state.

type Waiting = Readonly<{ seq: number; done: (reached: boolean) => void }>

/** Maximum number of waits with a timeout, because each occupies a slot of other requests. Callers
 *  limit their waits without a timeout. */
const waitingMax = 32

export class SeqWaits {
  private readonly waiting = new Set<Waiting>()

  /** Waits for an entry; resolves to `false` after the timeout, or if too many callers wait
   *  already. */
  wait(seq: number, waitMs: number): Promise<boolean> {
    const isTimed = Number.isFinite(waitMs)
    if (isTimed && this.waiting.size >= waitingMax) return Promise.resolve(false)
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | null = null
      const waiting: Waiting = {
        seq,
        done: (reached) => {
          if (timer !== null) clearTimeout(timer)
          this.waiting.delete(waiting)
          resolve(reached)
        },
      }
      if (isTimed) timer = setTimeout(() => waiting.done(false), waitMs)
      this.waiting.add(waiting)
    })
  }

  reached(seq: number): void {
    for (const waiting of this.waiting) if (waiting.seq <= seq) waiting.done(true)
  }
}
