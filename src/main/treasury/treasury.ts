// Runs the configured treasury on the leader: sends payable withdrawals as payment orders, and
// converts reports to commands.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { TreasurySetting } from '../../config/treasury.ts'
import type { TreasuryStatus } from '../../gateway/admin/operator.ts'
import type { PaymentRow } from '../../projections/history/history.ts'
import { Deliverer, type DelivererNeeds } from '../webhooks/deliverer.ts'
import { faultOf } from '../webhooks/webhook.ts'
import { type ApplyNeeds, applyReport } from './apply-report.ts'
import { openFileTreasury } from './file-treasury.ts'
import { httpTreasury } from './http-treasury.ts'
import type { Delivery, Refused, Treasury } from './treasury-port.ts'

export type RunningTreasury = Readonly<{
  now(): number
  /** Status of the treasury; `null` if no treasury is configured. */
  status(): TreasuryStatus | null
  close(): Promise<void>
}>

export type TreasuryNeeds = Omit<DelivererNeeds, 'signal' | 'exchange' | 'history'> &
  Readonly<{
    setting: TreasurySetting | null
    mode: ApplyNeeds['mode']
    exchange: DelivererNeeds['exchange'] & ApplyNeeds['exchange']
    history: DelivererNeeds['history'] & ApplyNeeds['history']
    log: Logger
  }>

const pollMs = 1_000
const backoff = { firstMs: 500, mostMs: 60_000 } as const
const refusedMax = 50

/** Starts the treasury. Resolves when its position is durable, after which no order is missed. */
export async function startTreasury(needs: TreasuryNeeds): Promise<RunningTreasury> {
  const { setting, time } = needs
  if (setting === null) return { now: time.now, status: () => null, close: async () => undefined }
  const end = new AbortController()
  const running = { ...needs, signal: end.signal }
  const treasury =
    setting.kind === 'files'
      ? await openFileTreasury(setting.folder)
      : httpTreasury(setting, running)
  const orders = await Deliverer.open(ordersTo(treasury, running), running)
  const reports = new ReportsOf(treasury, running)
  const runs = [orders.run(), reports.run()]
  return {
    now: time.now,
    status: () => ({
      ...{ kind: setting.kind, where: treasury.where, ...reports.status },
      orders: orders.status,
    }),
    async close() {
      end.abort()
      await Promise.all(runs)
    },
  }
}

/** Returns the receiver of payment orders. An order is retried without a limit. A withdrawal that
 *  an operator has closed by hand is not sent. */
function ordersTo(treasury: Treasury, { exchange, log }: TreasuryNeeds) {
  const isPayable = ({ withdrawal }: PaymentRow) =>
    exchange
      .view()
      .money.withdrawals()
      .some((each) => each.withdrawal === withdrawal)
  return {
    who: { treasury: treasury.where },
    note: 'treasury/orders',
    kinds: ['withdrawal.approved'],
    tryMinutes: null,
    async send(row: PaymentRow) {
      if (isPayable(row)) return treasury.pay(row)
      log.info(
        { withdrawal: row.withdrawal },
        'a withdrawal was closed before it was sent to the treasury',
      )
      return null
    },
    kept: treasury.kept,
  } as const
}

type ReportNeeds = TreasuryNeeds & Pick<DelivererNeeds, 'signal'>

class ReportsOf {
  private readonly treasury: Treasury
  private readonly needs: ReportNeeds
  private applied = 0
  private known = 0
  private refusedCount = 0
  private refused: readonly (Refused & Readonly<{ name: string; atMs: number }>)[] = []
  private fault: string | null = null
  private failingSince: number | null = null
  private attempts = 0

  constructor(treasury: Treasury, needs: ReportNeeds) {
    this.treasury = treasury
    this.needs = needs
  }

  get status() {
    const { applied, known, refusedCount, refused, fault, failingSince } = this
    return { applied, known, refusedCount, refused, fault, failingSince }
  }

  /** Runs until `signal` is aborted. */
  async run(): Promise<void> {
    const { signal, log, time } = this.needs
    while (!signal.aborted)
      try {
        const delivery = await this.treasury.next()
        const isNews = delivery !== null && (await this.take(delivery))
        this.fault = null
        this.failingSince = null
        this.attempts = 0
        // The treasury may repeat reports that change nothing, and each costs a journal entry.
        if (!isNews) await time.sleep(pollMs, signal)
      } catch (error) {
        if (signal.aborted) return
        // The treasury delivers the reports again, because they were not acknowledged.
        this.fault = faultOf(error)
        if (this.failingSince === null)
          log.warn({ treasury: this.treasury.where, fault: this.fault }, 'no reports can be taken')
        this.failingSince ??= time.now()
        const waitMs = Math.min(backoff.mostMs, backoff.firstMs * 2 ** this.attempts)
        this.attempts += 1
        await sleep(waitMs, undefined, { signal }).catch(() => undefined)
      }
  }

  /** Applies a delivery; returns whether any report was new. */
  private async take({ name, reports, refused: found, end }: Delivery): Promise<boolean> {
    const { signal, log, time } = this.needs
    const before = this.applied
    const refused: Refused[] = [...found]
    for (const { at, report } of reports) {
      if (signal.aborted) return false
      const result = await applyReport(report, this.needs)
      if (result === 'applied') this.applied += 1
      else if (result === 'known') this.known += 1
      else refused.push({ at, says: result.says })
    }
    await end(refused)
    const isNews = this.applied > before
    if (refused.length === 0) return isNews
    const atMs = time.now()
    for (const each of refused) log.error({ name, ...each }, 'a report of the treasury was refused')
    this.refusedCount += refused.length
    const all = [...this.refused, ...refused.map((each) => ({ ...each, name, atMs }))]
    this.refused = all.slice(-refusedMax)
    return isNews
  }
}
