// Controls of the sandbox, if the exchange is one.

import { type Signal, signal } from '@preact/signals'
import { ApiRefusal } from '../../client/errors.ts'
import type { Desk } from './desk.ts'
import { sentence } from './words/sentence.ts'

type Parts = Pick<Desk, 'address' | 'notices' | 'showSandbox' | 'visitor'>

type Clock = Awaited<ReturnType<Desk['visitor']['sandboxGetClock']>>
type Saved = Awaited<ReturnType<Desk['visitor']['sandboxListSnapshots']>>[number]
export type Scenario = 'crash' | 'pump' | 'wick' | 'squeeze' | 'freeze'

/** The clock moves by at most half an hour of engine time in one request. */
const stepMs = 1_800_000

export class Sandbox {
  readonly is: Signal<boolean> = signal(false)
  readonly clock: Signal<Clock | null> = signal(null)
  readonly saved: Signal<readonly Saved[]> = signal([])
  readonly bots: Signal<boolean> = signal(true)
  /** Title of the operation in progress. */
  readonly busy: Signal<string | null> = signal(null)
  private readonly desk: Parts

  constructor(desk: Parts) {
    this.desk = desk
  }

  /** Reads the status. A venue answers 404, and the panel is not shown. */
  async refresh(): Promise<void> {
    try {
      this.clock.value = await this.desk.visitor.sandboxGetClock()
      this.saved.value = await this.desk.visitor.sandboxListSnapshots()
      this.bots.value = (await this.desk.visitor.sandboxGetBots()).running
      this.is.value = true
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error
      this.is.value = false
    }
  }

  fund(amount: string): Promise<boolean> {
    const account = this.desk.address.peek()
    if (account === null) return Promise.resolve(false)
    return this.act('Funding', () => this.desk.visitor.sandboxFaucet({ account, amount }))
  }

  /** Moves the clock in steps, so that each is answered in time and the page shows its progress. */
  advance(ms: number): Promise<boolean> {
    return this.act('Moving the clock', async () => {
      for (let moved = 0; moved < ms; moved += stepMs) {
        const advance_ms = Math.min(stepMs, ms - moved)
        this.clock.value = await this.desk.visitor.sandboxSetClock({ advance_ms })
        const share = Math.round(((moved + advance_ms) / ms) * 100)
        this.busy.value = `Moving the clock, ${share} %`
      }
    })
  }

  freeze(stands: boolean): Promise<boolean> {
    return this.setClock('The clock', stands ? { freeze: true } : { resume: true })
  }

  private setClock(title: string, wish: Parameters<Desk['visitor']['sandboxSetClock']>[0]) {
    return this.act(title, async () => {
      this.clock.value = await this.desk.visitor.sandboxSetClock(wish)
    })
  }

  setOracle(symbol: string, price: string): Promise<boolean> {
    return this.act('The index price', () => this.desk.visitor.sandboxSetOracle({ symbol, price }))
  }

  resumeOracle(symbol: string): Promise<boolean> {
    const wish = { symbol, resume: true as const }
    return this.act('The index price', () => this.desk.visitor.sandboxSetOracle(wish))
  }

  play(name: Scenario, symbol: string): Promise<boolean> {
    return this.act(`A ${name}`, () => this.desk.visitor.sandboxScenario({ name, symbol }))
  }

  setBots(running: boolean): Promise<boolean> {
    return this.act('The bots', async () => {
      this.bots.value = (await this.desk.visitor.sandboxBots({ running })).running
    })
  }

  save(): Promise<boolean> {
    return this.act('Saving', async () => {
      await this.desk.visitor.sandboxSnapshot({})
      this.saved.value = await this.desk.visitor.sandboxListSnapshots()
    })
  }

  revert(id: string): Promise<boolean> {
    return this.act('Going back', async () => {
      await this.desk.visitor.sandboxRevert({ id })
      await this.refresh()
    })
  }

  private async act(title: string, work: () => Promise<unknown>): Promise<boolean> {
    this.busy.value = title
    try {
      await work()
      return true
    } catch (error) {
      const text = sentence((error as Error).message)
      const link = { label: 'Sandbox', open: () => this.desk.showSandbox() }
      this.desk.notices.show({ kind: 'bad', title: `${title} did not work`, text, link })
      return false
    } finally {
      this.busy.value = null
    }
  }
}
