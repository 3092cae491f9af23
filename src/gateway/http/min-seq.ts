// Who was told of an entry by one process may ask another for nothing older: a reply names the
// entry that it is true as of, and a request the oldest that it takes.

import { minSeqHeader } from '../../protocol/seq-headers.ts'
import { apiError } from '../api-error.ts'
import type { Exchange } from '../exchange.ts'

export async function requireSeq(exchange: Exchange, text: string): Promise<void> {
  const seq = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(seq))
    throw apiError('MALFORMED_REQUEST', `${minSeqHeader} must be a whole number of 1 to 15 digits`)
  if (exchange.seq() >= seq || (await exchange.reached(seq))) return
  const here = `this process is at entry ${exchange.seq()}`
  throw apiError('NOT_READY', `${here}, and ${minSeqHeader} asks for ${seq}; come again`, 1)
}
