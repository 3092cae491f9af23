// A session of a client with one kind of fault, and two independent answers to the question what
// the client believes: what this file noted from its replies, and the report of the exchange.

import ccxt from 'ccxt'
import { createExchange, type EmbeddedExchange } from '../../../src/embed/embed.ts'
import type { FaultRule } from '../../../src/protocol/schemas/lab/faults.ts'

const order = { symbol: 'BTC', price: '90000', amount: '0.01', side: 'bid' } as const

/** Places orders and reads which ones are open. */
type Bot = Readonly<{
  place(): Promise<number>
  open(): Promise<readonly number[]>
}>

export const kinds = ['ours', 'ccxt'] as const
export type ClientKind = (typeof kinds)[number]

async function botOf(
  exchange: EmbeddedExchange,
  kind: ClientKind,
  timeoutMs: number,
): Promise<Bot> {
  if (kind === 'ours') {
    const client = await exchange.client('alice', { timeoutMs, readRetries: 0 })
    await client.checkVenue()
    return {
      place: async () => {
        const fields = { ...order, tif: 'GTC', reduce_only: false } as const
        return (await client.createOrder(fields)).order_id
      },
      open: async () => (await client.getOpenOrders()).rows.map(({ order_id }) => order_id),
    }
  }
  const rest = `${exchange.url}/ccxt`
  const bot = new ccxt.pacifica({
    walletAddress: exchange.trader('alice').address,
    privateKey: exchange.key('alice').secret,
    urls: { api: { public: rest, private: rest } },
    enableRateLimit: false,
    timeout: timeoutMs,
    options: { builderFee: false },
    fetchImplementation: exchange.fetch,
    AbortError: DOMException,
    FetchError: TypeError,
  })
  const symbol = 'BTC/USDC:USDC'
  await bot.loadMarkets()
  return {
    place: async () => Number((await bot.createOrder(symbol, 'limit', 'buy', 0.01, 90_000)).id),
    open: async () => (await bot.fetchOpenOrders(symbol)).map(({ id }) => Number(id)),
  }
}

export type Session = Readonly<{
  /** Orders that are open and that the client does not know, or the other way round. */
  wrong: readonly string[]
  /** The same by the report, and the causes. */
  named: readonly string[]
  /** Requests without an answer, by the client and by the report. */
  unanswered: readonly [number, number]
  faults: readonly string[]
  /** Differences that are left when the client has read its orders. */
  left: readonly string[]
  digest: string
}>

export async function faultySession(
  kind: ClientKind,
  rule: FaultRule,
  orders = 6,
): Promise<Session> {
  const exchange = createExchange({
    markets: ['BTC'],
    prices: 'held',
    verify: rule.fault !== 'duplicate',
  })
  try {
    const bot = await botOf(exchange, kind, 120_000)
    const match = { account: 'alice', op: 'orders/create', ...rule.match }
    exchange.faults({ seed: 42, rules: [{ id: 'f', ...rule, match }] })
    const believed = new Set<string>()
    let unanswered = 0
    for (let count = 0; count < orders; count++)
      try {
        const placing = bot.place()
        placing.catch(() => undefined)
        await exchange.elapse('10s')
        believed.add(`order ${await placing}`)
      } catch (error) {
        if (isUnknown(error)) unanswered += 1
      }
    const open = exchange
      .trader('alice')
      .orders()
      .map(({ order_id }) => `order ${order_id}`)
    const wrong = [
      ...open.filter((id) => !believed.has(id)),
      ...[...believed].filter((id) => !open.includes(id)),
    ]
    const { faults, differences, digest } = exchange.faultReport()
    const now = differences.filter(({ until }) => until === null)
    const about = (word: string) =>
      now.flatMap(({ subject }) => (subject.startsWith(word) ? subject : []))
    await bot.open()
    const left = exchange.faultReport().differences.filter(({ until }) => until === null)
    return {
      wrong: wrong.sort(),
      named: about('order').sort(),
      unanswered: [unanswered, about('request').length],
      faults: faults.map(({ fault, ordinal }) => `${fault} ${ordinal}`),
      left: left.map(({ subject }) => subject),
      digest,
    }
  } finally {
    await exchange.close()
  }
}

/** Whether a client does not know what became of its request. */
function isUnknown(error: unknown): boolean {
  const { name } = error as Error
  return ['TimeoutFailure', 'NetworkFailure', 'RequestTimeout', 'NetworkError'].includes(name)
}
