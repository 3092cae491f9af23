// A desk for reads: the operations of the gateway over a scene's state, without a server in front
// of them. Requests and replies are held to the schemas, which must be complete: an undeclared
// field fails just as a missing one does.

import assert from 'node:assert/strict'
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { apply, createState, EventLog } from '../../src/core/engine.ts'
import type { Event } from '../../src/core/events/event-fields.ts'
import { fillsOf } from '../../src/core/events/fills-of.ts'
import { ApiError } from '../../src/gateway/api-error.ts'
import { apiKeyMaker } from '../../src/gateway/auth/api-keys.ts'
import type { Exchange } from '../../src/gateway/exchange.ts'
import type { Operation } from '../../src/gateway/operation.ts'
import type {
  FillRow,
  OrderEventRow,
  OrderRow,
  Page,
  TradeRow,
} from '../../src/projections/history/history.ts'
import type { AllHistory } from '../../src/projections/history/history-of.ts'
import { type ReadName, readNames } from '../../src/projections/history/reads.ts'
import { noReserves } from '../../src/projections/reserves/published-reserves.ts'
import { formatAddress } from '../../src/protocol/address.ts'
import { Check, Errors, type TSchema } from '../../src/protocol/schemas/typebox.ts'
import { FedStore } from './history/fed-store.ts'
import type { Scene, Setting } from './scene.ts'
import { genesisOf } from './scene-genesis.ts'

/** The address of a key that only this name has. */
export function addressNamed(name: string): string {
  const seed = createHash('sha256').update(name).digest()
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return formatAddress(spki.subarray(-32))
}

export type TimedEvent = Readonly<{ seq: number; atMs: number; event: Event }>

/** All events of a scene, replayed from its commands. */
export function eventsOfScene(scene: Scene, tiers?: Setting['tiers']): readonly TimedEvent[] {
  const state = createState(genesisOf(tiers))
  const log = new EventLog()
  return scene.history.flatMap((sequenced) => {
    log.clear()
    apply(state, sequenced, log)
    const { seq, atMs } = sequenced
    return log.readAll().map((event) => ({ seq, atMs, event }))
  })
}

/** The rows of all fills in a scene. */
export function fillRowsOf(scene: Scene, tiers?: Setting['tiers']): readonly FillRow[] {
  const addressOf = (account: number) => scene.state.accounts.records[account]!.address
  return eventsOfScene(scene, tiers).flatMap(({ seq, atMs, event }) =>
    fillsOf(event).map(({ account, counterparty, ...row }) => {
      const parties = { account: addressOf(account), counterparty: addressOf(counterparty) }
      return { ...row, ...parties, seq, atMs, clientOrderId: null }
    }),
  )
}

export type Rows = Readonly<{
  fills: readonly FillRow[]
  orders: readonly OrderRow[]
  events: readonly OrderEventRow[]
}>

type Listed = Pick<
  AllHistory,
  'positionHistory' | 'fills' | 'orders' | 'orderEvents' | 'orderOfClientId'
>

/** History as the port promises it, over rows that are all in memory. */
export function historyOf({ fills, orders, events }: Rows): Listed {
  const within = (page: Omit<Page, 'before' | 'limit'>, market: number, atMs: number) =>
    (page.market === null || market === page.market) &&
    (page.startMs === null || atMs >= page.startMs) &&
    (page.endMs === null || atMs <= page.endMs)
  const below = (page: Page, id: number) => page.before === null || id < page.before
  return {
    positionHistory: async (_, query) =>
      fills
        .filter(({ account }) => query.account === null || account === query.account)
        .filter(({ market, atMs }) => within(query, market, atMs))
        .toSorted((one, other) => other.history - one.history)
        .slice(query.offset, query.offset + query.limit),
    fills: async (_, account, page) =>
      fills
        .filter((row) => row.account === account && below(page, row.history))
        .filter(({ market, atMs }) => within(page, market, atMs))
        .toSorted((one, other) => other.history - one.history)
        .slice(0, page.limit),
    orders: async (_, account, page) =>
      orders
        .filter((row) => row.account === account && below(page, row.order))
        .filter(({ market, createdAt }) => within(page, market, createdAt))
        .toSorted((one, other) => other.order - one.order)
        .slice(0, page.limit),
    orderEvents: async (_, order) =>
      events.filter((row) => row.order === order).toSorted((one, other) => other.id - one.id),
    orderOfClientId: async (_, account, clientOrderId) =>
      orders.findLast((row) => row.account === account && row.clientOrderId === clientOrderId)
        ?.order ?? null,
  }
}

/** The store of a scene, which is played into it when the first read comes. */
function storedHistory(scene: Scene): AllHistory {
  let fed: FedStore | null = null
  const ask =
    (name: ReadName) =>
    async (_: number, ...args: readonly unknown[]) => {
      fed ??= storeOfScene(scene)
      const rows = fed.ask(name, ...(args as never)) as readonly unknown[]
      return name === 'beginning' ? (rows[0] ?? null) : rows
    }
  return Object.fromEntries(readNames.map((name) => [name, ask(name)])) as unknown as AllHistory
}

function storeOfScene(scene: Scene): FedStore {
  const genesis = genesisOf()
  const { feesAddress, insuranceAddress, deficitAddress } = genesis
  const fed = new FedStore([feesAddress, insuranceAddress, deficitAddress])
  const state = createState(genesis)
  const log = new EventLog()
  scene.history.forEach((sequenced, index) => {
    log.clear()
    apply(state, sequenced, log)
    const entry = { kind: 'command', command: sequenced.command, by: null } as const
    const rows = { first: 0, end: log.end, ownFirst: log.ownFirst, ownEnd: log.ownEnd }
    const outcome = { seq: index + 1, atMs: sequenced.atMs, entry, log, ...rows }
    fed.feed([{ timeline: 0, outcomes: [outcome] }])
  })
  return fed
}

type Fixed = Partial<
  Readonly<{
    rows: Partial<Rows>
    trades: readonly TradeRow[]
    volume24h: number
    oracle24hAgo: number
    reads: 'public' | 'owner'
    wallNow: number
  }>
>

export function exchangeOf(scene: Scene, fixed: Fixed = {}): Exchange {
  const { rows = {}, trades = [], volume24h = 0, oracle24hAgo = 0 } = fixed
  return {
    submit: () => assert.fail('a read submits nothing'),
    view: scene.view,
    seq: () => scene.state.seq,
    reached: (seq) => Promise.resolve(seq <= scene.state.seq),
    history: {
      ...storedHistory(scene),
      ...historyOf({ fills: [], orders: [], events: [], ...rows }),
    },
    statistics: {
      trades: (market, limit) => trades.filter((row) => row.market === market).slice(0, limit),
      volume24h: () => volume24h,
      oracle24hAgo: () => oracle24hAgo,
    },
    explain: () => assert.fail('no journal is replayed'),
    closed: () => null,
    receipts: null,
    wallNow: () => fixed.wallNow ?? scene.now,
    settings: {
      mode: 'sandbox',
      fork: false,
      reads: fixed.reads ?? 'public',
      untimedTexts: true,
      creditsPerIp: 100,
      venue: { id: '0'.repeat(32), required: false },
      operatorAccounts: null,
    },
    apiKeys: apiKeyMaker(Buffer.alloc(32)),
    keyUse: { lastUsedAt: () => null, used: () => undefined },
    reserves: noReserves,
    disputedPrices: () => [],
    sandbox: null,
    connections: null,
    manual: null,
    lab: null,
    forks: null,
  }
}

type Answer = Record<string, unknown>

/** Calls an operation; the reply has exactly the fields of its schema. */
export async function replyOf<Reply = Answer>(
  operation: Operation,
  exchange: Exchange,
  request: Readonly<Record<string, unknown>> = {},
  keyAccount: string | null = null,
): Promise<Reply> {
  assert.ok(Check(operation.request, request), 'the request does not fit its schema')
  const caller = { requestId: 'r', ip: '127.0.0.1', keyAccount }
  const verify = () => assert.fail('a read verifies nothing')
  assert.equal(operation.signs, null)
  const call = { request, caller, exchange, verify, verifySubaccount: verify }
  const reply = await operation.handle(call as never)
  const schema = withoutExtras(operation.reply)
  assert.deepEqual([...Errors(schema, reply)], [], JSON.stringify(reply))
  return reply as Reply
}

/** The error a request is answered with. */
export async function refusedWith(answer: Promise<unknown>): Promise<ApiError> {
  try {
    await answer
  } catch (error) {
    assert.ok(error instanceof ApiError, `${error}`)
    return error
  }
  return assert.fail('it was answered')
}

/** The same schema, in which no object may have a field that is not named. */
export function withoutExtras(schema: TSchema): TSchema {
  if (Array.isArray(schema)) return schema.map(withoutExtras) as never
  if (typeof schema !== 'object' || schema === null) return schema
  const fields = Object.entries(schema).map(([key, value]) => [
    key,
    withoutExtras(value as TSchema),
  ])
  const closed = 'properties' in schema ? { additionalProperties: false } : {}
  return { ...Object.fromEntries(fields), ...closed }
}
