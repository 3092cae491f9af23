// Polls an address, one request at a time. The time of an answer is taken from its header.

import type { Agent, IncomingMessage } from 'node:http'
import type { Timers } from '../../timers.ts'
import { connectionFor, httpGet } from './http-get.ts'
import { type Address, type Ears, messageBytesMax, type OpenWire, type Wire } from './wire.ts'

/** Timeout of an answer in ms. */
const answerMsMax = 4_000

export function pollWire(timers: Timers): OpenWire {
  return (address, ears) => new Poll(address, ears, timers)
}

class Poll implements Wire {
  private readonly address: Address
  private readonly ears: Ears
  private readonly timers: Timers
  private readonly agent: Agent
  private isOpen = false
  private closed = false
  private abort: () => void = () => undefined
  private clearNext: () => void = () => undefined
  private clearLate: () => void = () => undefined

  constructor(address: Address, ears: Ears, timers: Timers) {
    this.address = address
    this.ears = ears
    this.timers = timers
    this.agent = connectionFor(address)
    this.ask()
  }

  send(): void {
    // Nothing to send, because all parameters are in the address.
  }

  close(): void {
    this.closed = true
    this.abort()
    this.agent.destroy()
    this.clearNext()
    this.clearLate()
  }

  /** Starts a request. The next one begins on schedule, or when this one has ended if that is
   *  later. */
  private ask(): void {
    let isDue = false
    let isDone = false
    const next = () => {
      if (isDue && isDone && !this.closed) this.ask()
    }
    this.clearNext = this.timers.after(this.address.everyMs, () => {
      isDue = true
      next()
    })
    this.clearLate = this.timers.after(answerMsMax, () => this.end('no answer in time'))
    const { address, agent } = this
    this.abort = httpGet(
      { address, accept: 'application/json', agent },
      {
        failed: (why) => this.end(why),
        answered: (response) =>
          this.read(response, () => {
            isDone = true
            next()
          }),
      },
    )
  }

  private read(response: IncomingMessage, done: () => void): void {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (piece: string) => {
      text += piece
      if (text.length > messageBytesMax) this.end('the answer is too long')
    })
    response.on('end', () => {
      if (this.closed) return
      this.clearLate()
      if (!this.isOpen) this.ears.opened()
      this.isOpen = true
      const sentAt = Date.parse(response.headers.date ?? '')
      this.ears.said(text, Number.isNaN(sentAt) ? null : sentAt)
      done()
    })
  }

  private end(why: string): void {
    if (this.closed) return
    this.close()
    this.ears.ended(why)
  }
}
