// Accounts: money and counters in typed arrays, text and memberships in records. Id 0 is "none".

import { broken } from '../../units/invariant.ts'
import type { AgentPolicy, AgentScope } from '../commands/commands.ts'
import { grown } from './growing.ts'

export const FEES = 1
export const INSURANCE = 2
export const DEFICIT = 3

export type Agent = {
  scopes: readonly AgentScope[]
  ips: Set<string>
  ipFilter: boolean
  limit: KeyLimit | null
}

/** The policy of a key, and the highest equity of its account since the first test of the day on
 *  which it was last tested, adjusted for deposits, withdrawals and transfers (ACCT-9). */
export type KeyLimit = { policy: AgentPolicy; day: number; high: number }

export type ApiKey = {
  digest: string
  createdAt: number
  credits: number
  /** The bucket of credits that the key spends. No other active key of the account uses it. */
  bucket: number
}

/** A connection that cancels orders when it ends, the key that armed it, and its address. */
export type Armed = Readonly<{
  agent: string | null
  ip: string | null
  keepProtective: boolean
}>

/** Data that few accounts have, and text. Created with the account, small while empty. */
export type AccountRecord = {
  readonly address: string
  readonly createdAt: number
  subaccounts: number[]
  agents: Map<string, Agent> | null
  apiKeys: Map<string, ApiKey> | null
  /** Armed connections by name (TRIG-9). */
  armed: Map<string, Armed> | null
  /** Client order ids of open orders, stops and levels. */
  clientIds: Map<string, number> | null
  /** Ids of the account's stops and levels. */
  stops: Set<number> | null
  /** Ids of the account's running algos, rising. */
  algos: Set<number> | null
}

function emptyRecord(address: string, createdAt: number): AccountRecord {
  return {
    address,
    createdAt,
    subaccounts: [],
    agents: null,
    apiKeys: null,
    armed: null,
    clientIds: null,
    stops: null,
    algos: null,
  }
}

/** Ring of daily volumes of one owner in micro-dollars, indexed by day % 15. */
export const volumeRing = 15

export class AccountPool {
  balance = new Float64Array(8)
  pending = new Float64Array(8)
  pendingCount = new Int32Array(8)
  withdrawnDay = new Int32Array(8)
  withdrawnToday = new Float64Array(8)
  /** The main account; the account itself if it is one. */
  main = new Int32Array(8)
  /** Whether its owner has other accounts too. */
  related = new Uint8Array(8)
  rows = new Int32Array(8)
  /** Number of orders, waiting orders, stops and levels. */
  openCount = new Int32Array(8)
  /** Number of stops, which have a separate limit. */
  stopCount = new Int32Array(8)
  frozen = new Uint8Array(8)
  reserved = new Uint8Array(8)
  /** Fee tier and rates of the account's owner, valid on `tierDay` (1 + UTC day). */
  tier = new Uint8Array(8)
  tierDay = new Int32Array(8)
  makerPpm = new Int32Array(8)
  takerPpm = new Int32Array(8)
  volumes = new Float64Array(8 * volumeRing)
  /** The day up to which the ring has been cleared (1 + UTC day). */
  volumeDay = new Int32Array(8)
  /** Consecutive steps of the cross scope without a fill (LIQ-2). */
  unfilledSteps = new Uint8Array(8)
  unfilledAt = new Float64Array(8)
  /** Whether its place in the liquidation index is out of date. */
  dirty = new Uint8Array(8)
  scheduleAt = new Float64Array(8)
  scheduleKeep = new Uint8Array(8)
  readonly records: AccountRecord[] = [emptyRecord('', 0)]
  readonly byAddress = new Map<string, number>()
  /** Address of a confirmed agent → its account (ACCT-4). */
  readonly byAgent = new Map<string, number>()
  /** Address of an agent → accounts whose binding of it is provisional, oldest first. */
  readonly provisional = new Map<string, number[]>()
  /** Prefix of an active API key → its account. */
  readonly byApiKey = new Map<string, number>()
  /** Number of bound keys with a policy. If 0, no lookup is needed. */
  limitedKeys = 0
  count = 0

  open(address: string, main: number, createdAt: number): number {
    const other = this.byAddress.get(address)
    if (other !== undefined) broken('an address is given to a second account, it has', other)
    if (main !== 0 && this.main[main] !== main)
      broken('a subaccount is opened below another one', main)
    this.count += 1
    const account = this.count
    if (account >= this.balance.length) this.grow(account + 1)
    this.main[account] = main === 0 ? account : main
    this.records.push(emptyRecord(address, createdAt))
    this.byAddress.set(address, account)
    if (main !== 0) this.relate(main, account)
    return account
  }

  private relate(main: number, account: number): void {
    this.records[main]!.subaccounts.push(account)
    this.related[main] = 1
    this.related[account] = 1
  }

  /** Copies the fields of an account that checks and fills read. */
  copy(from: AccountPool, account: number): number {
    this.count += 1
    const copied = this.count
    if (copied >= this.balance.length) this.grow(copied + 1)
    this.balance[copied] = from.balance[account]!
    this.main[copied] = from.main[account]!
    // The accounts of an owner are looked up in the exchange, because not all of them are copied.
    this.related[copied] = 1
    this.frozen[copied] = from.frozen[account]!
    this.reserved[copied] = from.reserved[account]!
    this.tier[copied] = from.tier[account]!
    this.tierDay[copied] = from.tierDay[account]!
    this.makerPpm[copied] = from.makerPpm[account]!
    this.takerPpm[copied] = from.takerPpm[account]!
    return copied
  }

  private grow(length: number): void {
    this.balance = grown(this.balance, length)
    this.pending = grown(this.pending, length)
    this.pendingCount = grown(this.pendingCount, length)
    this.withdrawnDay = grown(this.withdrawnDay, length)
    this.withdrawnToday = grown(this.withdrawnToday, length)
    this.main = grown(this.main, length)
    this.related = grown(this.related, length)
    this.rows = grown(this.rows, length)
    this.openCount = grown(this.openCount, length)
    this.stopCount = grown(this.stopCount, length)
    this.frozen = grown(this.frozen, length)
    this.reserved = grown(this.reserved, length)
    this.tier = grown(this.tier, length)
    this.tierDay = grown(this.tierDay, length)
    this.makerPpm = grown(this.makerPpm, length)
    this.takerPpm = grown(this.takerPpm, length)
    this.volumes = grown(this.volumes, this.balance.length * volumeRing)
    this.volumeDay = grown(this.volumeDay, length)
    this.unfilledSteps = grown(this.unfilledSteps, length)
    this.unfilledAt = grown(this.unfilledAt, length)
    this.dirty = grown(this.dirty, length)
    this.scheduleAt = grown(this.scheduleAt, length)
    this.scheduleKeep = grown(this.scheduleKeep, length)
  }
}
