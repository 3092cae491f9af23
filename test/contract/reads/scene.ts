// An exchange with an owner who uses every feature, and a stranger who reads all of it: every
// account route of both mounts, previews, and every channel of an account.

import { WebSocket } from 'ws'
import { createExchange, type EmbeddedExchange } from '../../../src/embed/embed.ts'
import { type RouteName, routeNames, routes } from '../../../src/protocol/routes.ts'
import { declared } from '../../../src/protocol/streams/channels.ts'
import { heldMsMax, heldTurns } from '../../support/streams/stream-client.ts'

export type Reads = 'public' | 'resting' | 'owner'

export const uuid = 'd25ac8d5-0f4b-4d8a-9d0a-6f0a3b1b8f01'
/** The client id of an earlier, ended order: reusing it must not show that it is used again. */
export const oldUuid = 'd25ac8d5-0f4b-4d8a-9d0a-6f0a3b1b8f02'

/** Alice has a position with levels, a resting order, a stop and money. */
export function scene(reads: Reads): EmbeddedExchange {
  const exchange = createExchange({ markets: ['BTC'], prices: 'held', speedBump: true, reads })
  const [alice, maker] = [exchange.trader('alice'), exchange.trader('maker')]
  const order = { symbol: 'BTC', amount: '0.1', tif: 'ALO' } as const
  maker.place({ ...order, side: 'ask', price: '105001', amount: '5' })
  maker.place({ ...order, side: 'bid', price: '104999', amount: '5' })
  alice.market({ symbol: 'BTC', side: 'bid', amount: '0.2' })
  exchange.advance('1s')
  alice.setTpsl({ symbol: 'BTC', side: 'ask', stop_loss: { stop_price: '100000' } })
  alice.place({ ...order, side: 'bid', price: '104000', client_order_id: oldUuid })
  alice.cancel({ symbol: 'BTC', client_order_id: oldUuid })
  alice.place({ ...order, side: 'bid', price: '103000' })
  return exchange
}

const notOfState: readonly RouteName[] = ['get_time']

/** All requests about Alice that need no credentials. */
export function questions(
  alice: string,
): readonly (readonly [path: string, body: object | null])[] {
  const gets = routeNames.filter((name) => {
    const { http, only, signs } = routes[name] as { http: string; only?: string; signs: unknown }
    return (
      http.startsWith('GET') && only !== 'sandbox' && signs === null && !notOfState.includes(name)
    )
  })
  const query = `account=${alice}&symbol=BTC&time_range=1d&interval=1m&start_time=1767225600000`
  const ids = Array.from({ length: 30 }, (_, id) => `order_id=${id + 1}`)
  const byId = ['/orders/history_by_id', '/orders/twap/history_by_id'].flatMap((path) =>
    [...ids, ...[uuid, oldUuid].map((id) => `account=${alice}&client_order_id=${id}`)].map(
      (search) => `${path}?${search}`,
    ),
  )
  const small = ['limit=1', 'limit=2', 'limit=3'].map(
    (limit) => `/orders/history?${query}&${limit}`,
  )
  const paths = gets.map((name) => `${routes[name].http.split(' ')[1]}?${query}`)
  const base = { account: alice, symbol: 'BTC', side: 'bid', reduce_only: false }
  const previews = [
    { ...base, amount: '1', slippage_percent: '1' },
    { ...base, amount: '1000', slippage_percent: '1' },
    { ...base, amount: '1', price: '104000', tif: 'GTC', client_order_id: uuid },
    { ...base, side: 'ask', amount: '60', price: '105001', tif: 'GTC' },
    { ...base, side: 'ask', amount: '0.2', price: '105000', tif: 'IOC', reduce_only: true },
  ]
  return ['/api/v1', '/ccxt/api/v1'].flatMap((mount) => [
    ...[...paths, ...byId, ...small].map((path) => [mount + path, null] as const),
    ...previews.map((body) => [`${mount}/orders/preview`, body] as const),
  ])
}

export type Headers = Readonly<Record<string, string>>

/** Every reply, with its status and the sequence number that it is consistent with. */
export async function answers(exchange: EmbeddedExchange, headers: Headers = {}) {
  const { address } = exchange.trader('alice')
  const replies: Record<string, string> = {}
  for (const [path, body] of questions(address)) {
    const json = { 'content-type': 'application/json' }
    const post = { method: 'POST', headers: { ...headers, ...json }, body: JSON.stringify(body) }
    const reply = await exchange.fetch(path, body === null ? { headers } : post)
    if (reply.status === 500) throw new Error(`${path} fails`)
    const seq = reply.headers.get('openperp-seq')
    replies[`${path} ${JSON.stringify(body)}`] = `${reply.status} ${seq} ${await reply.text()}`
  }
  return replies
}

export const accountSources = Object.values(declared)
  .filter(({ of }) => of === 'account')
  .map(({ sources }) => sources[0] as string)

type Frame = Readonly<{ channel: string; data: unknown; li: number }>

/** Reads every account channel of Alice over a socket, and closes with `end`. */
export async function reader(
  exchange: EmbeddedExchange,
  { headers = {}, authenticate = null, resume = null }: ReaderOptions = {},
) {
  const { address } = exchange.trader('alice')
  const listening = resume === null ? await exchange.listen(0) : null
  const wsUrl = listening?.wsUrl ?? resume!.wsUrl
  const socket = new WebSocket(wsUrl, { headers })
  const frames: Frame[] = []
  let wake = () => {}
  socket.on('message', (bytes: Buffer) => {
    frames.push(JSON.parse(bytes.toString()) as Frame)
    wake()
  })
  const until = async (isWanted: () => boolean) => {
    while (!isWanted())
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  await new Promise((resolve) => socket.on('open', resolve))
  const send = (message: object) => socket.send(JSON.stringify(message))
  if (authenticate !== null) send({ method: 'authenticate', params: authenticate })
  const from = resume === null ? {} : { resume_from: resume.li }
  for (const source of accountSources)
    send({ method: 'subscribe', params: { source, account: address, ...from } })
  const count = accountSources.length
  const answered = ({ channel }: Frame) => channel === 'subscribe' || channel === 'error'
  await until(() => frames.filter(answered).length === count)
  return {
    frames,
    wsUrl,
    /** Waits until all earlier frames have arrived. */
    async settled() {
      const pongs = () => frames.filter(({ channel }) => channel === 'pong').length
      exchange.fund('alice', '1')
      await new Promise((done) => setTimeout(done, heldMsMax))
      for (let turn = 0; turn < heldTurns; turn++) {
        const before = pongs()
        send({ method: 'ping' })
        await until(() => pongs() > before)
      }
    },
    async end() {
      socket.close()
      await listening?.close()
    },
  }
}

type ReaderOptions = Readonly<{
  headers?: Headers
  authenticate?: object | null
  /** Through the port of another reader, from that sequence number on. */
  resume?: Readonly<{ wsUrl: string; li: number }> | null
}>
