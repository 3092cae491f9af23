// Notices of events. Few are shown at a time, each with a link to its numbers. Important ones, such
// as a liquidation or a refusal, stay until they are closed.

import { type Signal, signal } from '@preact/signals'

export type NoticeKind = 'plain' | 'good' | 'bad' | 'warning'

export type Notice = Readonly<{
  id: number
  /** Subject of the notice. A later notice with the same subject replaces it; `null` for none. */
  about: string | null
  kind: NoticeKind
  title: string
  text: string
  /** Whether the notice stays until the user closes it. */
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

/** Sorts notices for display: the newest first, then notices that stay, then notices that
 *  disappear; within each group the newest first. */
export function stacked(shown: readonly Notice[]): readonly Notice[] {
  const newest = Math.max(...shown.map(({ id }) => id))
  const rank = ({ id, stays }: Notice) => (id === newest ? 0 : stays ? 1 : 2)
  return shown.toSorted((one, other) => rank(one) - rank(other) || other.id - one.id)
}

export class Notices {
  readonly shown: Signal<readonly Notice[]> = signal([])
  private nextId = 1
  private readonly later: (work: () => void, ms: number) => void
  /** Called for each new notice. The view may play a sound. */
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

  /** Removes the notice with this subject, because the action has succeeded since. */
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
