// The newest entry of the exchange's history that this client has seen: later reads must not be
// older, on any node.

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
