// `npm run bench:recovery`: a journal of a million signed orders and cancels, no snapshot, and a
// start that replays all of it. Time in which it had to wait for a core that others used is told
// and left out. `--commands N`, `--json` prints one object, `--check` fails when a bar is missed.
// `npm run bench:audit` (`--audit`) lets `openperp audit` go through the same journal instead.

import { auditFolder } from '../src/cli/offline/audit-folder.ts'
import type { Command } from '../src/core/commands/commands.ts'
import type { ExchangeData } from '../src/sequencer/exchange-data.ts'
import { stateHash } from '../src/sequencer/snapshots/state-hash.ts'
import { DiskRun, deposit, listing, START_MS } from './disk-run.ts'
import { ACCOUNTS, CANCEL, type Flow, IOC, MIDDLE, MODIFY, makeFlow } from './flow.ts'
import { cancelCommand, placeCommand, tickCommand } from './load-run.ts'
import { asJson, judge, numberFlag, say, waitedForCoreMs, whole } from './options.ts'

const secondsMax = 10
const auditSecondsMax = 15
const audits = process.argv.includes('--audit')
const commandCount = numberFlag('--commands', 1_000_000)
const COMMANDS_PER_MS = 10
const COMMANDS_PER_TICK = 1_000
const WAITING_MAX = 2_048
/** Reserved accounts and the backstop come first. */
const FIRST_ACCOUNT = 5

/** The records of a flow as commands; order ids are known before they are given, because none is
 *  refused. */
function* commandsOf(flow: Flow, run: DiskRun): Generator<Command> {
  const orders = new Float64Array(flow.idEnd)
  let placed = 0
  const cancel = (i: number): Command => {
    const account = FIRST_ACCOUNT + flow.account[i]!
    return { ...cancelCommand(account, 1, orders[flow.order[i]!]!), proof: run.proof() } as Command
  }
  const place = (i: number): Command => {
    orders[flow.order[i]!] = ++placed
    const order = placeCommand({
      account: FIRST_ACCOUNT + flow.account[i]!,
      market: 1,
      side: flow.side[i] === 0 ? 'bid' : 'ask',
      price: flow.price[i]!,
      size: flow.size[i]!,
      tif: flow.type[i] === IOC ? 'IOC' : 'GTC',
    })
    return { ...order, proof: run.proof() } as Command
  }
  for (let i = 0; i < flow.count; i++) {
    run.atMs = START_MS + Math.floor(i / COMMANDS_PER_MS)
    if (i % COMMANDS_PER_TICK === 0) yield tickCommand(1, MIDDLE + (i % 7), false)
    if (flow.type[i] === CANCEL) yield cancel(i)
    else if (flow.type[i] === MODIFY) {
      yield cancel(i)
      yield place(i)
    } else yield place(i)
  }
}

async function write(data: ExchangeData, run: DiskRun): Promise<void> {
  const { sequencer } = data
  await sequencer.submit(listing('BTC-USD', MIDDLE))
  for (let n = 0; n < ACCOUNTS; n++) void sequencer.submit(deposit(`trader-${n}`, 4e12))
  const flow = makeFlow({ commands: commandCount, seed: 42, prefill: 10_000 })
  for (const command of commandsOf(flow, run)) {
    const done = sequencer.submit(command)
    if (sequencer.waitingCount >= WAITING_MAX) await done
  }
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
  if (asJson) console.log(JSON.stringify({ audit_ms: Math.round(ms), entries, whole: sound }))
  const missed: string[] = []
  if (ms >= auditSecondsMax * 1_000) missed.push(`audit not below ${auditSecondsMax} s`)
  if (!sound) missed.push('the audit did not find the journal whole')
  judge(missed)
}

async function main(): Promise<void> {
  const run = new DiskRun()
  try {
    const first = await run.open()
    const started = performance.now()
    await write(first, run)
    await first.close({ snapshot: false })
    const writtenMs = performance.now() - started
    const { seq, state } = first.sequencer
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
    const rest = { entries: seq, live_orders: state.orders.count, same_hash: same }
    if (asJson) console.log(JSON.stringify({ recovery_ms: Math.round(ms), ...rest }))
    const missed: string[] = []
    if (ms >= secondsMax * 1_000) missed.push(`recovery not below ${secondsMax} s`)
    if (!same) missed.push('the recovered state has another hash')
    judge(missed)
  } finally {
    run.remove()
  }
}

await main()
