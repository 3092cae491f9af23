// How far in the exchange's history this client has been told: whatever it reads next must not be
// older, whichever node it asks.

import { minSeqHeader, seqHeader } from '../../protocol/seq-headers.ts'

export class Place {
  seq = 0

  saw(seq: number): void {
    if (seq > this.seq) this.seq = seq
  }

  sawIn(headers: Headers): void {
    const text = headers.get(seqHeader)
    if (text !== null && /^\d{1,15}$/.test(text)) this.saw(Number.parseInt(text, 10))
  }

  /** What a read is to be no older than. */
  headers(): Readonly<Record<string, string>> {
    return this.seq === 0 ? {} : { [minSeqHeader]: String(this.seq) }
  }
}
