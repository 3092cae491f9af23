// Commits for readers of the file in other processes: as soon as they are requested, one at a time,
// so that requests meanwhile share the next one, with a pause between them. A commit writes every
// changed page, about a millisecond of the history thread under load: without a pause, busy readers
// would make it commit all the time.

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

  /** To be called when more was fed, too, because the wanted seq may be among it. */
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
