// The newest sequence number that this client has received. Later reads must not return older data,
// whichever node answers.

import { minSeqHeader, seqHeader } from '../../protocol/seq-headers.ts'

export function seqIn(headers: Headers): number | null {
  const text = /^\d{1,15}$/.exec(headers.get(seqHeader) ?? '')?.[0]
  return text === undefined ? null : Number.parseInt(text, 10)
}

export class Place {
  seq = 0

  saw(seq: number): void {
    if (seq > this.seq) this.seq = seq
  }

  sawIn(headers: Headers): void {
    this.saw(seqIn(headers) ?? 0)
  }

  /** Request headers that demand data at least as new as `seq`. */
  headers(): Readonly<Record<string, string>> {
    return this.seq === 0 ? {} : { [minSeqHeader]: String(this.seq) }
  }
}
