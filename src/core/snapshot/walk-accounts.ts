// Writes and reads accounts and their positions. Empty rows are omitted, and fields that need a
// position are 0 without one, so that equal exchanges write equal bytes.

import type { AgentScope } from '../commands/commands.ts'
import { hashWords } from '../commands/text-hash.ts'
import { rowOf } from '../margin/position-row.ts'
import { type AccountRecord, volumeRing } from '../pools/account-pool.ts'
import type { State } from '../state/state.ts'
import { flag, list, optionalText, type Stream } from './stream.ts'

const words = new Int32Array(hashWords)

export function walkAccounts(stream: Stream, state: State): void {
  const { accounts } = state
  const count = stream.number(accounts.count)
  for (let account = 1; account <= count; account++) {
    const record = accounts.records[account]
    const address = stream.text(record?.address ?? '')
    const main = stream.number(accounts.main[account] ?? 0)
    const createdAt = stream.number(record?.createdAt ?? 0)
    if (stream.reading) accounts.open(address, main === account ? 0 : main, createdAt)
    walkColumns(stream, state, account)
    walkVolumes(stream, state, account)
    walkRecord(stream, state, account)
  }
  if (!stream.tradingOnly) walkProvisional(stream, state)
}

/** Bindings that are not confirmed yet, the oldest of each key first. */
function walkProvisional(stream: Stream, { accounts }: State): void {
  const { byAgent, provisional } = accounts
  list(stream, [...provisional].sort(byText), (entry) => {
    const agent = stream.text(entry?.[0] ?? '')
    const holders: number[] = []
    list(stream, entry?.[1] ?? [], (account) => holders.push(stream.number(account ?? 0)))
    if (!stream.reading) return
    byAgent.delete(agent)
    provisional.set(agent, holders)
  })
}

function walkColumns(stream: Stream, { accounts }: State, account: number): void {
  const columns = [
    accounts.balance,
    accounts.pending,
    accounts.pendingCount,
    accounts.withdrawnDay,
    accounts.withdrawnToday,
    accounts.frozen,
    accounts.reserved,
    accounts.unfilledSteps,
    accounts.unfilledAt,
    accounts.scheduleAt,
    accounts.scheduleKeep,
  ]
  for (const column of columns) column[account] = stream.number(column[account]!)
}

/** Days in the window that have a volume. Tiers are derived from them. */
function walkVolumes(stream: Stream, state: State, account: number): void {
  const { accounts, day } = state
  const ring = (of: number): number => account * volumeRing + (of % volumeRing)
  const known = accounts.volumeDay[account]! - 1
  const days: number[] = []
  for (let of = Math.max(0, day - volumeRing + 1); of <= known; of++)
    if (accounts.volumes[ring(of)] !== 0) days.push(of)
  list(stream, days, (value) => {
    const of = stream.number(value ?? 0)
    const volume = stream.number(accounts.volumes[ring(of)]!)
    if (stream.reading) accounts.volumes[ring(of)] = volume
  })
  if (stream.reading) accounts.volumeDay[account] = day + 1
}

function walkRecord(stream: Stream, state: State, account: number): void {
  const record = state.accounts.records[account]!
  list(stream, [...(record.agents ?? [])].sort(byText), (entry) => {
    const name = stream.text(entry?.[0] ?? '')
    const scopes: AgentScope[] = []
    list(stream, entry?.[1].scopes ?? [], (scope) =>
      scopes.push(stream.text(scope ?? '') as AgentScope),
    )
    const ips = new Set<string>()
    list(stream, [...(entry?.[1].ips ?? [])].sort(), (ip) => ips.add(stream.text(ip ?? '')))
    const ipFilter = flag(stream, entry?.[1].ipFilter ?? false)
    if (!stream.reading) return
    record.agents ??= new Map()
    record.agents.set(name, { scopes, ips, ipFilter, limit: null })
    state.accounts.byAgent.set(name, account)
  })
  list(stream, [...(record.apiKeys ?? [])].sort(byText), (entry) => {
    const prefix = stream.text(entry?.[0] ?? '')
    const digest = stream.text(entry?.[1].digest ?? '')
    const createdAt = stream.number(entry?.[1].createdAt ?? 0)
    const credits = stream.number(entry?.[1].credits ?? 0)
    const bucket = stream.number(entry?.[1].bucket ?? 0)
    if (!stream.reading) return
    record.apiKeys ??= new Map()
    record.apiKeys.set(prefix, { digest, createdAt, credits, bucket })
    state.accounts.byApiKey.set(prefix, account)
  })
  if (stream.tradingOnly) return
  walkTexts(stream, state, account)
  walkArmed(stream, record)
}

function walkArmed(stream: Stream, record: AccountRecord): void {
  list(stream, [...(record.armed ?? [])].sort(byText), (entry) => {
    const connection = stream.text(entry?.[0] ?? '')
    const agent = optionalText(stream, entry?.[1].agent ?? null)
    const ip = optionalText(stream, entry?.[1].ip ?? null)
    const keepProtective = flag(stream, entry?.[1].keepProtective ?? false)
    if (!stream.reading) return
    record.armed ??= new Map()
    record.armed.set(connection, { agent, ip, keepProtective })
  })
}

/** The account's mark and its shares. A share without requests does not exist. */
function walkTexts(stream: Stream, { texts }: State, account: number): void {
  const { shares } = texts
  const mark = stream.number(texts.markOf(account))
  if (stream.reading) texts.raiseMark(account, mark)
  const signers: (readonly [string, number])[] = []
  for (let share = shares.first(account); share !== 0; share = shares.next(share))
    signers.push([shares.signers[share]!, share])
  list(stream, signers.sort(byText), (entry) => {
    const signer = stream.text(entry?.[0] ?? '')
    list(stream, entry === undefined ? [] : texts.linesOf(entry[1]), (line = 0) => {
      for (let at = 0; at < hashWords; at++) words[at] = stream.number(texts.wordOf(line, at))
      const expiresAt = stream.number(texts.expiryOf(line))
      if (stream.reading) texts.add(account, signer, words, expiresAt)
    })
  })
}

function byText(one: readonly [string, unknown], other: readonly [string, unknown]): number {
  return one[0] < other[0] ? -1 : 1
}

export function walkPositions(stream: Stream, state: State): void {
  const { accounts, positions } = state
  for (let account = 1; account <= accounts.count; account++) {
    const rows: number[] = []
    let row = accounts.rows[account]!
    while (row !== 0) {
      if (speaks(state, row)) rows.push(row)
      row = positions.nextOfAccount[row]!
    }
    list(stream, rows, (value) => walkRow(stream, state, account, value ?? 0))
  }
}

/** Whether a row has more than default values. */
function speaks(state: State, row: number): boolean {
  const { positions } = state
  const market = state.markets[positions.market[row]!]!
  const isolated =
    market.params.isolatedOnly && state.accounts.reserved[positions.account[row]!] === 0
  return (
    positions.lots[row] !== 0 ||
    positions.wallet[row] !== 0 ||
    positions.leverage[row] !== 0 ||
    positions.unfilledAt[row] !== 0 ||
    positions.settingsAt[row] !== 0 ||
    (positions.isolated[row] === 1) !== isolated
  )
}

function walkRow(stream: Stream, state: State, account: number, found: number): void {
  const { positions } = state
  const market = stream.number(positions.market[found] ?? 0)
  const row = stream.reading ? rowOf(state, state.markets[market]!, account) : found
  for (const column of [
    positions.lots,
    positions.cost,
    positions.wallet,
    positions.leverage,
    positions.isolated,
    positions.settingsAt,
    positions.unfilledSteps,
    positions.unfilledAt,
  ])
    column[row] = stream.number(column[row]!)
  if (positions.lots[row] === 0) return
  for (const column of [
    positions.fundingEpoch,
    positions.fundingPaid,
    positions.feesPaid,
    positions.openedAt,
    positions.updatedAt,
  ])
    column[row] = stream.number(column[row]!)
  if (stream.tradingOnly) return
  list(stream, [...(state.untimedTexts.get(row) ?? [])], (entry) => {
    const hash = stream.text(entry?.[0] ?? '')
    const signer = stream.text(entry?.[1] ?? '')
    if (!stream.reading) return
    const texts = state.untimedTexts.get(row) ?? new Map<string, string>()
    state.untimedTexts.set(row, texts.set(hash, signer))
  })
}
