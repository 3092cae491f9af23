// Plays a history twice, side by side: as it was, and with changes. Recorded commands name what
// they meant, whatever id it has in the variant. What they do there is decided by the rules alone.

import type { Command } from '../../core/index.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import type { Replica } from '../../sequencer/replica/replica.ts'
import { commandWords } from '../diff/command-words.ts'
import { type Difference, differenceOf, type First } from '../diff/difference.ts'
import { Ledger } from '../diff/ledger.ts'
import { commandText, resultLine, resultText } from '../diff/outcome-text.ts'
import type { Point } from '../fork/point.ts'
import type { History } from '../history.ts'
import { LabFault } from '../lab-fault.ts'
import {
  changed,
  changeFor,
  type Dropped,
  requireMarkets,
  type Setting,
  ticksMostOf,
} from './changes.ts'
import { Drops } from './drops.ts'
import { type Insertion, insert } from './inserted.ts'
import { Variant } from './variant.ts'

export type WhatIf = Readonly<{
  history: History
  /** The changes apply after this entry; `null`: from the beginning. */
  at: Point | null
  sets: readonly Setting[]
  insertions: readonly Insertion[]
  dropped: Dropped
  /** Version of the rules; `null`: as recorded. */
  rules: number | null
  onProgress?: (seq: number) => void
  /** For tests: the same recorded command in both, after it. */
  onPair?: (original: Outcome, variant: Outcome) => void
  /** For tests: an inserted request, after it. */
  onInserted?: (outcome: Outcome) => void
}>

/** How far the answer is from the recorded history: commands that were accepted there and are
 *  refused here, or the other way round. Actions of a batch count one by one. */
export type Distance = Readonly<{ refusedHere: number; acceptedHere: number; dropped: number }>

export type WhatIfReport = Readonly<{
  distance: Distance
  /** The commands that were dropped, without those of accounts. */
  dropped: readonly Removed[]
  /** Addresses of the accounts whose commands were dropped or inserted. */
  own: readonly string[]
  /** Inserted requests, and why they were refused (`null`: accepted). */
  inserted: readonly Readonly<{ line: number; refused: string | null }>[]
  difference: Difference
}>

type Removed = Readonly<{ seq: number; command: string; result: string }>

export async function whatIf(options: WhatIf): Promise<WhatIfReport> {
  const { history } = options
  const after = options.at === null ? history.oldest : history.seqAt(options.at)
  const base = await history.at(after)
  if (base.seq !== after) throw new LabFault(`${history.name} has no entry ${after}`)
  const run = new Run(options, base)
  run.begin()
  const replica = await history.play({ after }, (outcome, original) => run.take(outcome, original))
  return run.report(replica)
}

class Run {
  private readonly options: WhatIf
  private readonly history: History
  private readonly variant: Variant
  private readonly ledgers = [new Ledger(), new Ledger()] as const
  private readonly waiting: Insertion[]
  private readonly inserted: { line: number; refused: string | null }[] = []
  private readonly distance = { refusedHere: 0, acceptedHere: 0, dropped: 0 }
  private first: First | null = null
  private readonly base: Replica
  private readonly drops: Drops

  constructor(options: WhatIf, base: Replica) {
    this.options = options
    this.history = options.history
    this.base = base
    this.drops = new Drops(options.dropped)
    this.variant = new Variant(base.state)
    this.waiting = [...options.insertions]
    const early = this.waiting.find(({ seq, atMs }) =>
      seq === null ? atMs! < base.view.atMs : seq <= base.seq,
    )
    if (early === undefined) return
    throw new LabFault(
      `line ${early.line} of the inserted requests is before the entry from which on history is ` +
        `played, ${base.seq} (${new Date(base.view.atMs).toISOString()})`,
    )
  }

  /** Changes of markets that exist already, and of the rules. */
  begin(): void {
    const { sets, rules } = this.options
    const { view } = this.variant
    for (const { id, params } of view.markets.all()) {
      const change = changeFor(sets, params, ticksMostOf(view))
      if (Object.keys(change).length === 0) continue
      this.apply({ type: 'ChangeMarket', market: id, change, immediate: true })
    }
    if (rules !== null && rules !== view.rulesVersion)
      this.apply({ type: 'SetRulesVersion', version: rules })
  }

  private apply(command: Command): void {
    const { seq, view } = this.base
    const outcome = this.variant.apply(command, { atMs: view.atMs })
    this.ledgers[1].take({ ...outcome, seq: this.variant.replica.seq }, this.variant.view)
    const result = resultLine(outcome)
    if (result.startsWith('refused'))
      throw new LabFault(`${commandText(outcome)} after entry ${seq} is ${result}`)
  }

  async take(outcome: Outcome, { view }: Replica): Promise<void> {
    const { onProgress } = this.options
    await this.insertBefore(outcome)
    this.ledgers[0].take(outcome, view)
    const { entry, seq } = outcome
    if (entry.kind === 'snapshot') this.variant.save(entry.id)
    else if (entry.kind === 'revert')
      await this.variant.revert(entry.id, async () => {
        const saved = await this.history.savedState(entry.id, seq)
        if (saved !== null) return saved
        throw new LabFault(`the saved state ${entry.id} of entry ${seq} is not there any more`)
      })
    else this.repeat(outcome, entry.command, view)
    if (seq % 65_536 === 0) onProgress?.(seq)
  }

  private repeat(outcome: Outcome, command: Command, view: Replica['view']): void {
    const { variant, options, drops, distance } = this
    const { atMs, stampMs = 0 } = outcome
    const isOfDropped = drops.take(outcome, view)
    const recorded = { ...options, dropped: drops, original: view, outcome }
    const wanted = isOfDropped ? null : changed(command, recorded)
    const isSame = this.first === null && this.inserted.length === 0 && distance.dropped === 0
    const own = wanted === null ? null : variant.mapped(wanted, view, isSame)
    // Time passes in the variant, too.
    const done = variant.apply(own ?? { type: 'Tick' }, { atMs, stampMs })
    this.ledgers[1].take(done, variant.view)
    variant.learn(outcome, view, own === null ? null : done)
    if (wanted === null) {
      distance.dropped += 1
      return
    }
    this.count(refusalsIn(outcome), own === null ? null : refusalsIn(done), command)
    if (own !== null) options.onPair?.(outcome, done)
    if (this.first !== null) return
    if (own !== null && resultText(outcome, drops.gone) === resultText(done, noOrders)) return
    const cause = 'another result in the variant'
    const here = own === null ? 'not applied' : resultLine(done)
    const results = [resultLine(outcome), here] as const
    this.first = { seq: outcome.seq, cause, command: commandWords(outcome, view), results }
  }

  /** `here` `null`: the variant lacks an account or a market, or the command was dropped. */
  private count(there: number, here: number | null, { type }: Command): void {
    const whole = type === 'Batch' ? Number.POSITIVE_INFINITY : 1
    const refused = here ?? Math.max(there, Math.min(whole, 1))
    this.distance.refusedHere += Math.max(0, refused - there)
    this.distance.acceptedHere += Math.max(0, there - refused)
  }

  private async insertBefore({ seq, atMs, entry }: Outcome): Promise<void> {
    for (const insertion of [...this.waiting]) {
      const isDue = insertion.seq === null ? atMs > insertion.atMs! : seq >= insertion.seq
      if (!isDue || entry.kind === 'revert') continue
      await this.insert(insertion, insertion.atMs ?? atMs)
    }
  }

  private async insert(insertion: Insertion, atMs: number): Promise<void> {
    this.waiting.splice(this.waiting.indexOf(insertion), 1)
    const { variant, ledgers } = this
    const refused = await insert(variant, insertion, atMs, (outcome) => {
      ledgers[1].take(outcome, variant.view)
      this.options.onInserted?.(outcome)
    })
    this.inserted.push({ line: insertion.line, refused })
  }

  async report(replica: Replica): Promise<WhatIfReport> {
    const [beyond] = this.waiting.filter(({ seq }) => seq !== null)
    if (beyond !== undefined)
      throw new LabFault(
        `line ${beyond.line} of the inserted requests is at entry ${beyond.seq}, and the last ` +
          `one is ${replica.seq}`,
      )
    for (const insertion of [...this.waiting]) await this.insert(insertion, insertion.atMs!)
    const { distance, inserted, variant, ledgers, options, drops } = this
    drops.requireFound(replica.view, this.base.seq)
    requireMarkets(options.sets, replica.view)
    const [original, other] = ledgers
    const difference = differenceOf(
      { name: 'original', replica, ledger: original },
      { name: 'variant', replica: variant.replica, ledger: other },
      this.first,
    )
    const own = new Set([...drops.owners, ...options.insertions.map(({ account }) => account)])
    return { distance, dropped: drops.removed, own: [...own], inserted, difference }
  }
}

const noOrders: ReadonlySet<number> = new Set()

function refusalsIn({ log, ownFirst, ownEnd }: Outcome): number {
  return log.readBetween(ownFirst, ownEnd).filter(({ type }) => type === 'CommandRejected').length
}
