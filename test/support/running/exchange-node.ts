// The real program as a node of a cluster, and what a client does with whichever leads.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type Key, keyOfSeed } from '../../../src/client/key.ts'
import type { Receipt } from '../../../src/client/receipts/documents.ts'
import { verifyReceipt } from '../../../src/client/receipts/verify-receipt.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import { readDataFolder } from '../../../src/sequencer/data-folder.ts'
import { recover } from '../../../src/sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../../src/sequencer/snapshots/saved-state-files.ts'
import { stateHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { ClockFile } from '../clocks/clock-file.ts'
import { until } from '../http/held-sockets.ts'
import { ChildExchange } from './child-exchange.ts'
import { Connection, dataOf, type Reply } from './connection.ts'
import { hangable } from './hanging.ts'

export const [alice, bob] = [1, 2].map((n) => keyOfSeed(new Uint8Array(32).fill(n))) as [Key, Key]

/** Longer than any machine lets a process stand still. */
const longLease = '60000'

export class ExchangeNode {
  readonly name: string
  readonly folder: string
  /** Its wall clock. */
  readonly clock: ClockFile
  private readonly program: string | undefined
  private child: ChildExchange | null = null
  private connection: Connection | null = null
  /** Entry of the last order through this node, as its reply named it. */
  orderSeq = 0

  /** Its folder lies below this one; `program` is another than the one that is tested. */
  constructor(name: string, root: string, program?: string) {
    this.name = name
    this.program = program
    this.folder = join(root, name)
    this.clock = new ClockFile(this.folder)
  }

  /** With an empty `url` it runs alone. */
  start(url: string, leaseMs = longLease, flags: readonly string[] = []): void {
    const joined = ['--cluster', url, '--node', this.name, '--lease-ms', leaseMs]
    const all = [
      ...(url === '' ? [] : joined),
      ...['--bots', 'off', '--log-level', 'info', ...flags],
    ]
    const environment = hangable(this.clock.environment)
    this.child = new ChildExchange(this.folder, all, null, this.program, environment)
  }

  get process(): ChildExchange {
    return this.child!
  }

  async follows(leader: ExchangeNode): Promise<void> {
    await until(() => this.process.errors.includes(`following: ${leader.name} leads`))
  }

  /** While it does not lead. */
  standbyPort(): number {
    const [, port] = /"port":(\d+),"msg":"\w+ stands by until it leads"/.exec(this.process.errors)!
    return Number(port)
  }

  async askStandby(path: string): Promise<Reply> {
    const connection = new Connection(this.standbyPort())
    try {
      return await connection.send('GET', path, null)
    } finally {
      connection.close()
    }
  }

  /** When it serves: one that trades leads then. */
  async leads(): Promise<void> {
    const { port } = await this.process.ready
    this.connection = new Connection(port)
  }

  /** When a node that reads accepts signed requests: its clock was compared with the leader's. */
  async serves(): Promise<void> {
    await this.leads()
    await until(async () => (await this.get('/serving')).status === 200)
  }

  async get(path: string): Promise<Reply> {
    return this.connection!.get(path)
  }

  /** A new sandbox: time stands still, BTC has a price, and two traders have money. */
  async prepare(): Promise<void> {
    dataOf(await this.post('/sandbox/clock', { freeze: true }))
    dataOf(await this.post('/sandbox/oracle', { symbol: 'BTC', price: '100000' }))
    for (const { address } of [alice, bob])
      dataOf(await this.post('/sandbox/faucet', { account: address, amount: '100000' }))
  }

  /** Bob buys 0.01 BTC from Alice; returns what Bob signed. */
  async trade(): Promise<string> {
    await this.order(alice, 'ask', '100000')
    return this.order(bob, 'bid', '100000')
  }

  async post(path: string, body: unknown): Promise<Reply> {
    return this.connection!.post(`/api/v1${path}`, body)
  }

  async order(key: Key, side: 'bid' | 'ask', price: string): Promise<string> {
    const text = await orderText(key, { side, price })
    const reply = await this.post('/orders/create', text)
    dataOf(reply)
    this.orderSeq = Number(reply.seq)
    return text
  }

  async openOrders({ address }: Key): Promise<number> {
    const reply = await this.connection!.get(`/api/v1/orders?account=${address}`)
    return dataOf<readonly unknown[]>(reply).length
  }

  async position({ address }: Key): Promise<number> {
    const { body } = await this.connection!.get(`/api/v1/positions?account=${address}`)
    return Number((body as { amount: string }[])[0]?.amount ?? 0)
  }

  /** A verified receipt for the entry, without its checkpoint. */
  async receipt({ address }: Key, seq: number): Promise<Receipt> {
    const reply = await this.get(`/api/v1/receipts?seq=${seq}&account=${address}`)
    const receipt = dataOf<Receipt>(reply)
    await verifyReceipt(receipt)
    return { ...receipt, inclusion: null }
  }

  state(): Promise<FolderState> {
    return stateOf(this.folder)
  }
}

export type FolderState = Readonly<{ seq: number; hash: string }>

/** As a start would find it. */
export async function stateOf(path: string): Promise<FolderState> {
  const folder = readDataFolder(path)
  const { replica } = await recover(folder, { saved: new SavedStateFiles(folder.saved) })
  return { seq: replica.seq, hash: stateHash(replica.state) }
}

let lastTimestamp = 0

async function orderText(key: Key, fields: object): Promise<string> {
  lastTimestamp = Math.max(lastTimestamp + 1, Date.now())
  const standard = { symbol: 'BTC', amount: '0.01', tif: 'GTC', reduce_only: false }
  const signing = { type: 'create_order', timestamp: lastTimestamp } as const
  return JSON.stringify(await signedBody(key, { ...standard, ...fields } as never, signing))
}

/** The second one serves the id that the folders of both have. */
export async function sameVenue(one: ExchangeNode, other: ExchangeNode): Promise<void> {
  const [first, second] = [one, other].map(({ folder }) => readDataFolder(folder).venue)
  assert.equal(second, first)
  const { venue } = dataOf<{ venue: string }>(await other.get('/api/v1/info/venue'))
  assert.equal(venue, first)
}

/** Their folders hold the same history, and it comes to the same state. */
export async function sameState(one: ExchangeNode, other: ExchangeNode): Promise<void> {
  await until(async () => (await one.state()).seq === (await other.state()).seq)
  assert.deepEqual(await one.state(), await other.state())
}
