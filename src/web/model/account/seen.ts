// The newest fill of an account that was shown, kept between visits: forced closes after it are
// shown at the next visit.

import type { Storage } from '../preferences.ts'

export type Mark = Readonly<{ id: number; at: number }>

export const seenName = (address: string) => `openperp.seen.${address}`

export class Seen {
  private readonly storage: Storage
  private newest: Mark | null = null
  private address: string | null = null
  /** Notices that are still open: until they are closed, later fills do not count as seen. */
  private unread = 0

  constructor(storage: Storage) {
    this.storage = storage
  }

  /** Opens another account; returns what was seen of it on earlier visits, if anything. */
  open(address: string): Mark | null {
    this.address = address
    this.newest = null
    this.unread = 0
    return readMark(this.storage.get(seenName(address)))
  }

  /** Everything up to here was shown. */
  saw(address: string, mark: Mark): void {
    if (address !== this.address) return
    this.newest = mark
    this.keep()
  }

  /** Adds an unread notice. Returns a function to be called when it was closed. */
  hold(): () => void {
    const { address } = this
    this.unread += 1
    return () => {
      if (address !== this.address) return
      this.unread = Math.max(0, this.unread - 1)
      this.keep()
    }
  }

  /** Ids start again. */
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
    // Damaged: as on a first visit.
    return null
  }
}
