import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditFolder } from '../src/cli/offline/audit-folder.ts'
import type { ExchangeData } from '../src/sequencer/exchange-data.ts'
import { stateHash } from '../src/sequencer/snapshots/state-hash.ts'
import { flag, number, text } from '../test/support/program/options.ts'
import { DiskRun } from './disk-run.ts'
import { benchOptions, waitedForCoreMs, whole } from './options.ts'
import { ownFolder, submitAll } from './paired/build.ts'
import { opening, SignedFlow } from './paired/signed-flow.ts'
import { inTurns, median, runAlone } from './paired/turns.ts'

const {
  commands: commandCount,
  audit: audits,
  against,
  starts,
  json,
  requireBars,
  say,
} = benchOptions({
  name: 'bench/recovery',
  about:
    'A journal of signed orders and cancels without a snapshot, and a start that replays all of ' +
    'it. Time in which it waited for a core is reported and not counted.',
  options: {
    commands: number(1_000_000, 'signed orders and cancels'),
    audit: flag('run `openperp audit` on the same journal instead'),
    against: text(null, 'a built checkout that takes turns with this one', 'FOLDER'),
    starts: number(5, 'turns with --against'),
  },
})

const secondsMax = 10
const auditSecondsMax = 15
const timesMin = 4
const BATCH = 256

async function write(data: ExchangeData, run: DiskRun): Promise<void> {
  await submitAll(data, opening(), BATCH)
  await submitAll(data, new SignedFlow(commandCount, run).commands(), BATCH)
}

type Round = Readonly<{ ms: number; entries: number; hash: string }>

/** Each build recovers its own journal, in turn with the other. */
function compare(other: string): void {
  const root = mkdtempSync(join(tmpdir(), 'openperp-bench-'))
  const missed: string[] = []
  const prepared = (checkout: string, name: string) => {
    const folder = join(root, name)
    const written = runAlone<Round>('recovery-run', checkout, folder, `${commandCount}`)
    return () => {
      const { ms, entries, hash } = runAlone<Round>('recovery-run', checkout, folder)
      say(`${name.padEnd(6)} ${whole(entries)} entries in ${whole(ms)} ms`)
      if (hash !== written.hash) missed.push(`${name}: the recovered state has another hash`)
      return ms
    }
  }
  try {
    const turns = inTurns(starts, prepared(ownFolder, 'this'), prepared(other, 'other'))
    const times = 1 / turns.ratio
    say(`median ${whole(median(turns.own))} ms and ${whole(median(turns.other))} ms there`)
    say(`       ${times.toFixed(2)} times as fast`)
    const figures = { recovery_ms: median(turns.own), other_ms: median(turns.other), times }
    if (json) console.log(JSON.stringify(figures))
    if (times < timesMin) missed.push(`recovery not ${timesMin} times as fast as the other build`)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  requireBars(missed)
}

async function audited(run: DiskRun, end: Readonly<{ seq: number; hash: string }>): Promise<void> {
  const waited = waitedForCoreMs()
  const started = performance.now()
  const report = await auditFolder(run.folder, { everyEntries: 100_000, onProgress: () => {} })
  const elsewhere = waitedForCoreMs() - waited
  const ms = performance.now() - started - elsewhere
  const { seq, entries, invariantChecks, findings } = report
  const sound = findings.length === 0 && report.stateHash === end.hash && seq === end.seq
  say(`audited     ${whole(ms)} ms, ${whole((entries * 1_000) / ms)} entries/s; other programs had`)
  say(`            the core for another ${whole(elsewhere)} ms`)
  say(`            ${invariantChecks} checks of all invariants; ${sound ? 'whole' : 'NOT WHOLE'}`)
  if (json) console.log(JSON.stringify({ audit_ms: Math.round(ms), entries, whole: sound }))
  const missed: string[] = []
  if (ms >= auditSecondsMax * 1_000) missed.push(`audit not below ${auditSecondsMax} s`)
  if (!sound) missed.push('the audit did not find the journal whole')
  requireBars(missed)
}

async function main(): Promise<void> {
  const run = new DiskRun()
  try {
    const first = await run.open()
    const started = performance.now()
    await write(first, run)
    await first.close({ snapshot: false })
    const writtenMs = performance.now() - started
    const { seq, state, view } = first.sequencer
    const hash = stateHash(state)
    say(`written     ${whole(seq)} entries in ${whole(writtenMs)} ms, durable`)
    if (audits) return await audited(run, { seq, hash })
    const waited = waitedForCoreMs()
    const second = await run.open()
    const elsewhere = waitedForCoreMs() - waited
    const ms = second.recovery.ms - elsewhere
    const same = stateHash(second.sequencer.state) === hash
    await second.close({ snapshot: false })
    say(
      `recovered   ${whole(ms)} ms, ${((ms * 1_000) / seq).toFixed(2)} µs an entry; other programs`,
    )
    say(`            had the core for another ${whole(elsewhere)} ms`)
    say(`            ${same ? 'equal hash' : 'ANOTHER HASH'}`)
    const rest = { entries: seq, live_orders: view.orders.count, same_hash: same }
    if (json) console.log(JSON.stringify({ recovery_ms: Math.round(ms), ...rest }))
    const missed: string[] = []
    if (ms >= secondsMax * 1_000) missed.push(`recovery not below ${secondsMax} s`)
    if (!same) missed.push('the recovered state has another hash')
    requireBars(missed)
  } finally {
    run.remove()
  }
}

if (against === null) await main()
else compare(against)
