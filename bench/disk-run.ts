// An exchange on disk, in a temporary folder that is removed when the bench ends, driven through
// the sequencer as the gateway drives it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExchangeData } from '../src/sequencer/exchange-data.ts'
import { loadBuild, ownFolder } from './paired/build.ts'
import { START_MS } from './paired/signed-flow.ts'

export class DiskRun {
  readonly folder = mkdtempSync(join(tmpdir(), 'openperp-bench-'))
  atMs = START_MS

  async open(): Promise<ExchangeData> {
    return (await loadBuild(ownFolder)).open(this.folder, this)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
