// Notices of events. Few at a time, each with a link to its numbers; important ones (a liquidation,
// a refusal) stay until they are closed.

import { type Signal, signal } from '@preact/signals'

export type NoticeKind = 'plain' | 'good' | 'bad' | 'warning'

export type Notice = Readonly<{
  id: number
  /** A later notice about the same subject replaces an earlier one. */
  about: string | null
  kind: NoticeKind
  title: string
  text: string
  /** Stays until the user closes it. */
  stays: boolean
  /** Called when the user has closed it. */
  closed: (() => void) | null
  /** Label and target of the notice's link. */
  link: Readonly<{ label: string; open: () => void }>
}>

export type NewNotice = Omit<Notice, 'id' | 'about' | 'stays' | 'closed'> &
  Readonly<{ about?: string; stays?: boolean; closed?: () => void }>

const passingMax = 3
const stayingMax = 5
const shownMs = 5_000

/** In stacking order: the newest first, then those that stay until they are closed, then those that
 *  disappear; each newer first. */
export function stacked(shown: readonly Notice[]): readonly Notice[] {
  const newest = Math.max(...shown.map(({ id }) => id))
  const rank = ({ id, stays }: Notice) => (id === newest ? 0 : stays ? 1 : 2)
  return shown.toSorted((one, other) => rank(one) - rank(other) || other.id - one.id)
}

export class Notices {
  readonly shown: Signal<readonly Notice[]> = signal([])
  private nextId = 1
  private readonly later: (work: () => void, ms: number) => void
  /** Called for each; the view may make a sound. */
  onNotice: (notice: Notice) => void = () => undefined

  constructor(later: (work: () => void, ms: number) => void) {
    this.later = later
  }

  show({ stays = false, about, closed, ...rest }: NewNotice): void {
    const named = { about: about ?? null, closed: closed ?? null }
    const notice: Notice = { ...rest, ...named, stays, id: this.nextId++ }
    const others = this.shown.peek().filter((each) => about === undefined || each.about !== about)
    const staying = [...others, notice].filter((each) => each.stays).slice(-stayingMax)
    const passing = [...others, notice].filter((each) => !each.stays).slice(-passingMax)
    this.shown.value = [...staying, ...passing]
    this.onNotice(notice)
    if (!stays) this.later(() => this.close(notice.id), shownMs)
  }

  /** Removes the notice about it, because it succeeded since. */
  settle(about: string): void {
    const others = this.shown.peek().filter((notice) => notice.about !== about)
    if (others.length < this.shown.peek().length) this.shown.value = others
  }

  close(id: number): void {
    this.shown
      .peek()
      .find((notice) => notice.id === id)
      ?.closed?.()
    this.shown.value = this.shown.peek().filter((notice) => notice.id !== id)
  }
}
