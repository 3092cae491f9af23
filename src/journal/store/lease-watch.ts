// Detects the end of another node's lease by our own clock alone: the lease was not renewed for its
// duration, counted from the time at which we first saw the last renewal. The holder counts from
// before its request for that renewal, so its lease has ended by then. A promoted machine has every
// renewal that was acknowledged to the holder, so a watch may continue after a promotion.

/** `beat` changes with every renewal, `term` with every holder. */
export type LeaseRow = Readonly<{ term: number; beat: number; holder: string; leaseMs: number }>

/** Tolerance for clocks of two machines that run at slightly different speeds. */
const patience = 1.01

export class LeaseWatch {
  private readonly now: () => number
  private seen: Readonly<{ term: number; beat: number; since: number }> | null = null

  constructor(now: () => number) {
    this.now = now
  }

  /** Whether the lease is free: it has no holder, or its row has not changed for `leaseMs`
   *  (× `patience`). Pass a freshly read row on each poll. */
  isFree({ term, beat, holder, leaseMs }: LeaseRow): boolean {
    if (holder === '') return true
    if (this.seen === null || this.seen.term !== term || this.seen.beat !== beat) {
      this.seen = { term, beat, since: this.now() }
      return false
    }
    return this.now() - this.seen.since > leaseMs * patience
  }
}
