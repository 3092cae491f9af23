// An exchange on disk, in a folder of its own that goes when the bench ends, driven through the
// sequencer as the gateway drives it.

import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command, Proof } from '../src/core/commands/commands.ts'
import { type ExchangeData, openExchangeData } from '../src/sequencer/exchange-data.ts'
import { forgetfulSources } from '../src/sequencer/memory-journal.ts'
import type { MicroTicks, Ppm, Quote, TimeMs } from '../src/units/units.ts'
import { params } from './market.ts'

/** A full hour, so that a short run meets no funding epoch. */
export const START_MS = 1_750_003_200_000
const expiryMs = 30_000

export class DiskRun {
  readonly folder = mkdtempSync(join(tmpdir(), 'openperp-bench-'))
  atMs = START_MS
  private texts = 0

  open(): Promise<ExchangeData> {
    return openExchangeData({
      folder: this.folder,
      genesis: {
        feesAddress: 'fees',
        insuranceAddress: 'insurance',
        deficitAddress: 'deficit',
        feeTiers: [{ volumeDollars: 0, makerPpm: 150 as Ppm, takerPpm: 400 as Ppm }],
      },
      clock: { now: () => this.atMs },
      sources: forgetfulSources,
      keep: 'venue',
      snapshotEntries: Number.MAX_SAFE_INTEGER,
      onFatal: (error) => {
        throw error
      },
      onWarning: (text) => console.error(text),
    })
  }

  /** What the gateway would have verified: another text each time. */
  proof(): Proof {
    const textHash = createHash('sha256')
      .update(`text ${this.texts++}`)
      .digest('hex')
    const receivedAtMs = this.atMs as TimeMs
    const expiresAtMs = (this.atMs + expiryMs) as TimeMs
    return { textHash, receivedAtMs, expiresAtMs, agent: null, ip: null }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export function listing(symbol: string, oracleTicks: number): Command {
  return {
    type: 'ListMarket',
    params: { ...params, symbol, backstopAddress: `backstop ${symbol}` },
    oracle: (oracleTicks * 1_000_000) as MicroTicks,
  }
}

export function deposit(address: string, amount: number): Command {
  return { type: 'Deposit', address, amount: amount as Quote, reference: `for ${address}` }
}
