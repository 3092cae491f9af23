// Commits for readers of the file in other processes. A commit starts as soon as it is requested.
// Only one runs at a time, and requests made meanwhile share the next one. There is a pause between
// commits: a commit writes every changed page, about a millisecond of the history thread under
// load, and busy readers would otherwise cause commits all the time.

const pauseMs = 10

export type Commits = Readonly<{
  /** The newest seq that a commit would contain. */
  fed(): number
  begin(): void
}>

export class WantedCommits {
  private readonly commits: Commits
  private storedSeq = 0
  private wantedSeq = 0
  /** Seq of the current or last commit. */
  private begunSeq = 0
  private pause: NodeJS.Timeout | null = null

  constructor(commits: Commits) {
    this.commits = commits
  }

  want(seq: number): void {
    this.wantedSeq = Math.max(this.wantedSeq, seq)
    this.goOn()
  }

  stored(seq: number): void {
    this.storedSeq = seq
    this.goOn()
  }

  /** Must also be called when more outcomes were fed, because they may include the requested
   *  seq. */
  goOn(): void {
    const isUnderWay = this.begunSeq > this.storedSeq
    if (this.wantedSeq <= this.storedSeq || isUnderWay || this.pause !== null) return
    const fed = this.commits.fed()
    if (fed <= this.storedSeq) return
    this.begunSeq = fed
    this.commits.begin()
    this.pause = setTimeout(() => {
      this.pause = null
      this.goOn()
    }, pauseMs).unref()
  }
}
