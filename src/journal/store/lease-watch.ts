// When somebody else's lease is over, seen from outside and without asking any clock but our own:
// it has not been renewed for as long as it lasts, counted from when we first saw it like that. Its
// holder counts from before it asked for the renewal, so he has stopped by then. A machine that was
// promoted has every renewal that its holder was told of, so a watch may go on there.

/** `beat` changes with every renewal, `term` with every holder. */
export type LeaseRow = Readonly<{ term: number; beat: number; holder: string; leaseMs: number }>

/** Clocks of two machines run at slightly different speeds; a hundredth is more than any do. */
const patience = 1.01

export class LeaseWatch {
  private readonly now: () => number
  private seen: Readonly<{ term: number; beat: number; since: number }> | null = null

  constructor(now: () => number) {
    this.now = now
  }

  /** To be asked with the row as it has just been read. */
  isFree({ term, beat, holder, leaseMs }: LeaseRow): boolean {
    if (holder === '') return true
    if (this.seen === null || this.seen.term !== term || this.seen.beat !== beat) {
      this.seen = { term, beat, since: this.now() }
      return false
    }
    return this.now() - this.seen.since > leaseMs * patience
  }
}
