// Detects the end of another node's lease by our own clock alone: it has not been renewed for its
// duration, counted from when we first saw this renewal. Its holder counts from before its request
// for the renewal, so it has stopped by then. A promoted machine has every renewal that was
// acknowledged to the holder, so a watch may continue there.

/** `beat` changes with every renewal, `term` with every holder. */
export type LeaseRow = Readonly<{ term: number; beat: number; holder: string; leaseMs: number }>

/** Clocks of two machines run at slightly different speeds, by less than this share. */
const patience = 1.01

export class LeaseWatch {
  private readonly now: () => number
  private seen: Readonly<{ term: number; beat: number; since: number }> | null = null

  constructor(now: () => number) {
    this.now = now
  }

  /** To be called with the row as it has just been read. */
  isFree({ term, beat, holder, leaseMs }: LeaseRow): boolean {
    if (holder === '') return true
    if (this.seen === null || this.seen.term !== term || this.seen.beat !== beat) {
      this.seen = { term, beat, since: this.now() }
      return false
    }
    return this.now() - this.seen.since > leaseMs * patience
  }
}
