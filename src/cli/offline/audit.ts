// `openperp audit`: replays the journal and reports whether the folder is consistent.

import { command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { pairsOf, type Screen } from '../frame/screen.ts'
import type { AuditReport } from './audit-folder.ts'
import { dataFolderOf, dataOption } from './data-option.ts'

const everyDefault = 100_000

export const audit = command({
  name: 'audit',
  group: 'data',
  summary: 'Replay the journal and check every hash, link and invariant',
  about:
    'Reads the whole journal, checks the seal of every frame and its link to the one ' +
    'before, applies every command to a new state, compares every snapshot and saved ' +
    'state with it byte for byte, and checks the invariants of docs/rules/invariants.md ' +
    'on the way and at the end. Nothing is changed; an exchange may be running. What is ' +
    'wrong is named with file, offset and seq, and the exit code is 4.',
  options: {
    ...dataOption,
    every: {
      value: '<entries>',
      about: `entries between checks of all invariants (default: ${everyDefault})`,
    },
  },
  examples: ['openperp audit', 'openperp audit --data /srv/openperp --every 1000 --json'],
  async run({ values, screen, environment }) {
    const folder = dataFolderOf(values.data, environment)
    const everyEntries = everyOf(values.every)
    const { auditFolder } = await import('./audit-folder.ts')
    const started = performance.now()
    const report = await auditFolder(folder, {
      everyEntries,
      onProgress: ({ seq, part }) =>
        screen.progress(`audit  ${Math.floor(part * 100)} %  seq ${seq}`),
    })
    const seconds = (performance.now() - started) / 1_000
    const whole = report.findings.length === 0
    return {
      json: { ...report, verdict: whole ? 'whole' : 'damaged', seconds },
      lines: linesOf(report, seconds, screen),
      end: whole ? 'yes' : 'damaged',
    }
  },
})

function everyOf(text: string | undefined): number {
  if (text === undefined) return everyDefault
  if (!/^[1-9]\d{0,11}$/.test(text)) throw misused(`--every ${text} is not a number above 0`)
  return Number.parseInt(text, 10)
}

function linesOf(report: AuditReport, seconds: number, screen: Screen): readonly string[] {
  const { firstSeq, fromSeq, seq, entries, findings, notes } = report
  const rate = Math.round(entries / Math.max(seconds, 0.001))
  const pairs: [string, string][] = [
    ['folder', report.folder],
    ['journal', `${report.segments} segments, ${report.frames} frames, seq ${firstSeq} to ${seq}`],
    ['played', `${entries} entries from seq ${fromSeq + 1}, ${report.events} events, ${rate}/s`],
    ['states', `${report.statesEqual} snapshots and saved states equal what history gives`],
    ['invariants', `checked ${report.invariantChecks} times`],
  ]
  if (report.reverts > 0) pairs.push(['reverts', `${report.reverts}`])
  if (report.tornBytes > 0)
    pairs.push([
      'tail',
      `${report.tornBytes} bytes that were never acknowledged; the next startup removes them`,
    ])
  if (report.stateHash !== null) pairs.push(['state hash', report.stateHash])
  if (report.tradingHash !== null) pairs.push(['trading hash', report.tradingHash])
  const lines = [...pairsOf(pairs), ...notes.map((note) => `note  ${note}`)]
  for (const { kind, file, offset, seq: at, what } of findings) {
    const place = offset === null ? '' : `, byte ${offset}`
    lines.push(`${screen.paint('red', `${kind}:`)} ${file}${place}, seq ${at}: ${what}`)
  }
  const found = `${findings.length} problem${findings.length === 1 ? '' : 's'} found`
  const verdict =
    findings.length === 0
      ? screen.paint('green', 'WHOLE: every seal, link, state and invariant holds')
      : screen.paint('red', `DAMAGED: ${found}; restore the folder from a backup`)
  return [...lines, `verdict  ${verdict}`]
}
