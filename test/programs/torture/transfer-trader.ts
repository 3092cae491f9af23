// Moves money between an account and its subaccount, which does nothing else: its balance is the
// sum of what was acknowledged, to the micro-dollar.

import type { Key } from '../../../src/client/key.ts'
import {
  subaccountConfirmText,
  subaccountInitiateText,
} from '../../../src/protocol/signing-text.ts'
import { until } from '../../support/http/held-sockets.ts'
import { Connection, dataOf, errorOf } from '../../support/running/connection.ts'
import { type Action, afterRevert, Client, isReplayed, type Mark, type Ticker } from './action.ts'
import type { Trader } from './trader.ts'

const dollar = 1_000_000

type Move = { readonly micro: number; readonly action: Action; readonly from: Client }

export class TransferTrader implements Trader {
  readonly name = 'transfers'
  private readonly main: Client
  private readonly sub: Client
  private moves: Move[] = []
  private doubted = 0
  private count = 0

  constructor(main: Key, sub: Key, ticker: Ticker) {
    this.main = new Client(main, ticker)
    this.sub = new Client(sub, ticker)
  }

  connect(port: number): void {
    this.main.connection = new Connection(port)
    this.sub.connection = this.main.connection
  }

  disconnect(): void {
    this.main.connection?.close()
  }

  async open(api: Connection): Promise<void> {
    const { main, sub } = this
    const account = main.key.address
    await until(async () => {
      const reply = await api.post('/api/v1/sandbox/faucet', { account, amount: '1000000' })
      // A busy exchange asks to come back.
      if (reply.status !== 503) dataOf(reply)
      return reply.status === 200
    })
    const timed = { timestamp: Date.now() }
    const sub_signature = await sub.key.sign(subaccountInitiateText(account, timed))
    const main_signature = await main.key.sign(subaccountConfirmText(sub_signature, timed))
    const subaccount = sub.key.address
    const made = { main_account: account, subaccount, sub_signature, main_signature, ...timed }
    const reply = await api.post('/api/v1/account/subaccount/create', made)
    // Sent again after an answer that was lost.
    if (!errorOf(reply).startsWith('ACCOUNT_ALREADY_EXISTS')) dataOf(reply)
    // So that it can give back from the first move on.
    const action = await this.sign(main, sub, 100_000 * dollar)
    this.moves.push({ micro: 100_000 * dollar, action, from: main })
    await main.send(action)
    if (action.reply !== null) dataOf(action.reply)
  }

  counts() {
    return { known: this.moves.length, doubted: this.doubted }
  }

  async step(): Promise<boolean> {
    const { main, sub } = this
    this.count += 1
    // No two moves are of the same size, so that a missing one is seen.
    const micro = dollar + this.count
    const back = this.count % 2 === 0
    const from = back ? sub : main
    const action = await this.sign(from, back ? main : sub, micro)
    this.moves.push({ micro: back ? -micro : micro, action, from })
    return from.send(action)
  }

  reverted(mark: Mark): void {
    this.moves = this.moves.filter(({ action }) => afterRevert(action, mark) !== null)
    for (const { action } of this.moves) action.known = afterRevert(action, mark)!
  }

  async verify(api: Connection): Promise<readonly string[]> {
    const wrong: string[] = []
    let shown = await this.balance(api)
    const doubts = this.moves.filter(({ action }) => action.known === 'doubt')
    const sums = doubts.reduce(
      (all, { micro }) => all.flatMap((sum) => [sum, sum + micro]),
      [this.sum()],
    )
    if (!sums.includes(shown)) wrong.push(`transfers: ${shown} there, of ${sums.join(', ')}`)
    for (const { micro, action, from } of doubts) {
      this.doubted += 1
      await from.send(action)
      const now = await this.balance(api)
      const moved = now - shown
      if (moved !== (action.known === 'ok' ? micro : 0))
        wrong.push(`transfers: ${micro} sent again (${action.known}) moved ${moved}`)
      shown = now
      // Refused as used: whether it moved money then, the sum says.
      if (isReplayed(action) && this.sum() + micro === shown) action.known = 'ok'
    }
    if (doubts.length === 0 && shown !== this.sum())
      wrong.push(`transfers: ${shown} there, not ${this.sum()}`)
    return wrong
  }

  private sum(): number {
    return this.moves
      .filter(({ action }) => action.known === 'ok')
      .reduce((sum, { micro }) => sum + micro, 0)
  }

  private sign(from: Client, to: Client, micro: number): Promise<Action> {
    const cents = `${micro % dollar}`.padStart(6, '0')
    const fields = { to_account: to.key.address, amount: `${Math.trunc(micro / dollar)}.${cents}` }
    return from.sign('/account/subaccount/transfer', 'transfer_funds', fields)
  }

  private async balance(api: Connection): Promise<number> {
    const reply = await api.get(`/api/v1/account?account=${this.sub.key.address}`)
    return Math.round(Number(dataOf<{ balance: string }>(reply).balance) * dollar)
  }
}
