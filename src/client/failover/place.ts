// The newest sequence number that this client has received. Later reads must not return older data,
// whichever node answers.

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

  /** Request headers that demand data at least as new as `seq`. */
  headers(): Readonly<Record<string, string>> {
    return this.seq === 0 ? {} : { [minSeqHeader]: String(this.seq) }
  }
}
