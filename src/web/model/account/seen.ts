// Stores the newest fill of an account that was shown. At the next visit later forced closes are
// shown.

import type { Storage } from '../preferences.ts'

export type Mark = Readonly<{ id: number; at: number }>

export const seenName = (address: string) => `openperp.seen.${address}`

export class Seen {
  private readonly storage: Storage
  private newest: Mark | null = null
  private address: string | null = null
  /** Number of open notices. Until they are closed, later fills do not count as seen. */
  private unread = 0

  constructor(storage: Storage) {
    this.storage = storage
  }

  /** Switches to an account; returns the last seen fill of earlier visits, `null` if there is
   *  none. */
  open(address: string): Mark | null {
    this.address = address
    this.newest = null
    this.unread = 0
    return readMark(this.storage.get(seenName(address)))
  }

  /** Records that everything up to `mark` was shown. */
  saw(address: string, mark: Mark): void {
    if (address !== this.address) return
    this.newest = mark
    this.keep()
  }

  /** Adds an unread notice; returns a function to call when the notice is closed. */
  hold(): () => void {
    const { address } = this
    this.unread += 1
    return () => {
      if (address !== this.address) return
      this.unread = Math.max(0, this.unread - 1)
      this.keep()
    }
  }

  /** Forgets the last seen fill, because ids start again. */
  forget(): void {
    this.newest = null
    if (this.address !== null) this.storage.remove(seenName(this.address))
  }

  private keep(): void {
    if (this.newest === null || this.address === null || this.unread > 0) return
    this.storage.set(seenName(this.address), JSON.stringify(this.newest))
  }
}

function readMark(text: string | null): Mark | null {
  try {
    const { id, at } = JSON.parse(text ?? '{}') as Partial<Mark>
    return Number.isSafeInteger(id) && Number.isSafeInteger(at) ? ({ id, at } as Mark) : null
  } catch {
    // Damaged data is ignored, as on a first visit.
    return null
  }
}
