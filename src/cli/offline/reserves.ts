// `openperp reserves` makes a proof of reserves from a data folder. `openperp verify` checks a
// proof, or an account's inclusion in a proof.

import { resolve } from 'node:path'
import { type ReserveSummary, usdOf } from '../../projections/reserves/reserve-summary.ts'
import { command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { pairsOf, type Screen } from '../frame/screen.ts'
import { dataFolderOf, dataOption, onData } from './data-option.ts'

export const reserves = command({
  name: 'reserves',
  group: 'data',
  summary: 'Create a proof of reserves: the balance of each account, in a Merkle sum tree',
  about:
    'Reads the data folder up to an entry, also while the exchange is running, and writes a file ' +
    'with a leaf for every account. The file contains the balance of every account, so keep it ' +
    'private; publish the root and the summary. Files in reserves/ of the data folder (the ' +
    'default of --out) are also used by the exchange to give each account its own proof ' +
    '(POST /account/reserves). docs/operating/money.md describes what it proves.',
  options: {
    ...dataOption,
    at: { value: '<seq>', about: 'journal entry of the balances (default: the newest)' },
    out: { value: '<file>', about: 'file to write' },
  },
  examples: ['openperp reserves', 'openperp reserves --data /srv/openperp --at 120000 --json'],
  async run({ values, environment }) {
    const folder = dataFolderOf(values.data, environment)
    const to = seqOf(values.at)
    const { writeReserves } = await import('./write-reserves.ts')
    const out = values.out === undefined ? null : resolve(values.out)
    const { file, summary } = await onData(() => writeReserves(folder, { to, out }))
    return {
      json: { file, ...summaryJson(summary) },
      lines: [...summaryLines(summary), `file  ${file}`],
    }
  },
})

function seqOf(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^[1-9]\d{0,15}$/.test(text)) throw misused(`--at ${text} is not a number above 0`)
  return Number.parseInt(text, 10)
}

/** The public part of a proof, as JSON. */
function summaryJson(summary: ReserveSummary) {
  const { liabilities, own, debts, funding, total, ...rest } = summary
  return {
    ...rest,
    liabilities: usdOf(liabilities),
    ...{ own: usdOf(own), debts: usdOf(debts), funding: usdOf(funding), total: usdOf(total) },
  }
}

function summaryLines(summary: ReserveSummary): readonly string[] {
  return pairsOf([
    ['as of', `entry ${summary.seq}, ${new Date(summary.atMs).toISOString()}`],
    ['accounts', `${summary.accounts}`],
    ['owed', `${usdOf(summary.liabilities)} USD, of it ${usdOf(summary.own)} of the exchange`],
    ['owing', `${usdOf(summary.debts)} USD`],
    ['funding', `${usdOf(summary.funding)} USD that rounding leaves`],
    ['came in', `${usdOf(summary.total)} USD, withdrawals taken off`],
    ['root', summary.root],
    ['state hash', summary.stateHash],
  ])
}

export const verify = command({
  name: 'verify',
  group: 'data',
  summary: 'Verify a proof of reserves, or that it includes an account',
  about:
    'For a file of `openperp reserves`, checks every leaf, sum and hash, that no account ' +
    'occurs twice, and that liabilities equal net deposits. With --data the journal is replayed ' +
    'up to that entry, and every account is compared with its balance there. For a saved reply ' +
    'of POST /account/reserves, checks that the account is included under the root. Exit code 4 ' +
    'if a check fails.',
  arguments: [
    { name: 'file', about: 'file of `openperp reserves`, or an inclusion proof', required: true },
  ],
  options: {
    ...dataOption,
    root: { value: '<hash>', about: 'published root hash' },
  },
  examples: [
    'openperp request /account/reserves --key alice > mine.json',
    'openperp verify mine.json --root 5f0c…',
    'openperp verify data/reserves/reserves-0000000000120000.txt --data ./data',
  ],
  async run({ values, words: [file], screen, environment }) {
    const root = rootOf(values.root)
    const folder = values.data === undefined ? null : dataFolderOf(values.data, environment)
    const { verifyFile } = await import('./verify-reserves.ts')
    const { what, summary, findings } = await onData(() =>
      verifyFile(resolve(file!), { root, folder }),
    )
    const lines = summary === null ? [] : summaryLines(summary)
    return {
      json: { what, ...(summary !== null && summaryJson(summary)), findings },
      lines: [...lines, ...verdictLines(what, findings, screen)],
      end: findings.length === 0 ? 'yes' : 'damaged',
    }
  },
})

function rootOf(text: string | undefined): string | null {
  if (text === undefined) return null
  if (/^[0-9a-f]{64}$/.test(text)) return text
  throw misused(`--root ${text} is not a hash of 64 hexadecimal digits`)
}

function verdictLines(what: string, findings: readonly string[], screen: Screen): string[] {
  if (findings.length === 0) return [`verdict  ${screen.paint('green', `HOLDS: ${what}`)}`]
  const wrong = screen.paint('red', `WRONG: ${findings.length} found`)
  return [...findings.map((finding) => `wrong  ${finding}`), `verdict  ${wrong}`]
}
