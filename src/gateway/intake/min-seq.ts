// Consistent reads across processes: a reply has the sequence number of its data, and a request can
// name the lowest sequence number that it accepts.

import { minSeqHeader } from '../../protocol/seq-headers.ts'
import { apiError } from '../api-error.ts'
import type { Exchange } from '../exchange.ts'
import { limitKeyOf } from '../limits/ip-address.ts'

/** Maximum number of waiting requests per address, so that no address takes all slots
 *  (sequencer/queue/seq-waits.ts). */
const waitingPerIp = 8

/** A sequence number further ahead than this cannot be reached in time: either this process is far
 *  behind, or the number belongs to another exchange. */
const aheadMax = 100_000

export class SeqGate {
  private readonly exchange: Exchange
  private readonly waiting = new Map<string, number>()

  constructor(exchange: Exchange) {
    this.exchange = exchange
  }

  /** Resolves when the exchange has reached this sequence number; throws if it is not reached
   *  soon. */
  async require(text: string, ip: string): Promise<void> {
    const { exchange } = this
    const seq = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (Number.isNaN(seq))
      throw apiError(
        'MALFORMED_REQUEST',
        `${minSeqHeader} must be a whole number of 1 to 15 digits`,
      )
    const here = `this process is at entry ${exchange.seq()}`
    if (seq - exchange.seq() > aheadMax)
      throw apiError(
        'NOT_READY',
        `${here}, and ${minSeqHeader} requires ${seq}, more than ${aheadMax} entries ahead: this ` +
          'process is far behind, or the entry belongs to another exchange',
      )
    if (exchange.seq() >= seq || (await this.wait(seq, limitKeyOf(ip)))) return
    const now = `this process is at entry ${exchange.seq()}`
    throw apiError('NOT_READY', `${now}, and ${minSeqHeader} requires ${seq}; try again`, 1)
  }

  private async wait(seq: number, ipKey: string): Promise<boolean> {
    const before = this.waiting.get(ipKey) ?? 0
    if (before >= waitingPerIp) return false
    this.waiting.set(ipKey, before + 1)
    try {
      return await this.exchange.reached(seq)
    } finally {
      const left = this.waiting.get(ipKey)! - 1
      if (left === 0) this.waiting.delete(ipKey)
      else this.waiting.set(ipKey, left)
    }
  }
}
