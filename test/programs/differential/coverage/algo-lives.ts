// How algos with resting orders were placed, stepped and ended, each kind by itself.

import type { Command } from '../../../../src/core/commands/commands.ts'
import type { RejectionName } from '../../../../src/core/commands/rejections.ts'
import type { Event } from '../../../../src/core/events/event-fields.ts'
import { algoEnds, algoKinds } from '../../../../src/words/order-words.ts'

const resting = algoKinds.filter((kind) => kind !== 'twap')
const refusals: readonly RejectionName[] = [
  'TRADING_DISABLED',
  'INVALID_TICK_LEVEL',
  'INVALID_AMOUNT',
  'INVALID_TIME',
  'ORDER_AMOUNT_TOO_LOW',
  'PRICE_TOO_FAR_FROM_MARK',
  'DUPLICATE_CLIENT_ORDER_ID',
  'NO_POSITION_FOR_REDUCE_ONLY_ORDER',
  'INVALID_REDUCE_ONLY_ORDER_SIDE',
  'INVALID_REDUCE_ONLY_ORDER_AMOUNT',
  'AGENT_LIMIT',
  'LIMIT_REACHED',
]

export function* wantedOfAlgos(): Generator<string> {
  for (const kind of resting) {
    for (const name of refusals) yield `${kind} refused ${name}`
    for (const reason of algoEnds) yield `${kind} ended ${reason}`
    yield `${kind} placed an order`
    yield `${kind} was refused an order`
  }
  yield 'chase moved an order'
  yield 'chase was refused a move'
}

/** Of one world: it remembers which algo is of which kind, and which have an order. */
export class AlgoLives {
  private readonly kinds = new Map<number, string>()
  private readonly algoOf = new Map<number, number>()

  /** What this command came to. */
  namesOf(command: Command, events: readonly Event[]): readonly string[] {
    const requested = resting.find((kind) => command.type.toLowerCase() === `place${kind}`)
    const names: string[] = []
    const answer = events.at(-1)
    if (requested !== undefined && answer?.type === 'CommandRejected')
      names.push(`${requested} refused ${answer.rejection}`)
    let moves = 0
    for (const event of events) {
      if (event.type === 'AlgoPlaced') this.kinds.set(event.order, event.kind)
      if (event.type === 'AlgoStepped' && event.rejection !== 0)
        names.push(this.refused(event.algo))
      if (event.type === 'AlgoEnded')
        names.push(`${this.kinds.get(event.algo)} ended ${event.reason}`)
      if (event.type === 'OrderCancelled') {
        moves = event.reason === 'replaced' ? (this.algoOf.get(event.order) ?? 0) : 0
        this.algoOf.delete(event.order)
      }
      if (event.type === 'OrderPlaced' && event.origin === 'algo') {
        this.algoOf.set(event.order, event.parent)
        const kind = this.kinds.get(event.parent)
        names.push(`${kind} ${moves === event.parent ? 'moved' : 'placed'} an order`)
      }
      if (event.type === 'Traded') {
        if (event.makerRemaining === 0) this.algoOf.delete(event.makerOrder)
        if (event.takerRemaining === 0) this.algoOf.delete(event.takerOrder)
      }
    }
    return names
  }

  private refused(algo: number): string {
    const stands = [...this.algoOf.values()].includes(algo)
    return `${this.kinds.get(algo)} was refused ${stands ? 'a move' : 'an order'}`
  }
}
