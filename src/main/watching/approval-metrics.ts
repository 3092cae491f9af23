// Metrics of commands that await approval by a second operator, and of the withdrawal brake
// (ACCT-10, ACCT-11).

import { Gauge, type Registry } from '../../gateway/packages.ts'
import type { WatchedExchange } from './exchange-metrics.ts'

export function addApprovalMetrics(
  registry: Registry,
  { view, now }: Pick<WatchedExchange, 'view' | 'now'>,
): void {
  const brake = () => view().money.brakeAt(now())
  const gauges: Readonly<Record<string, readonly [string, () => number]>> = {
    openperp_credits_waiting: [
      'Manual credits that wait for approval with a second token',
      () => view().money.heldCredits().length,
    ],
    openperp_withdrawal_brake_on: [
      '1 if the withdrawal brake is enabled',
      () => Number(brake() !== null),
    ],
    openperp_withdrawal_brake_pulled: [
      '1 if the withdrawal brake is triggered: the insurance fund paid much in a short ' +
        'time, and withdrawals of some owners need approval',
      () => Number(brake()?.pulled != null),
    ],
    openperp_withdrawal_brake_owners: [
      'Owners whose withdrawals need approval because the brake is triggered',
      () => brake()?.pulled?.owners.length ?? 0,
    ],
  }
  for (const [name, [help, read]] of Object.entries(gauges))
    new Gauge({
      ...{ name, help, registers: [registry] },
      collect() {
        this.set(read())
      },
    })
}
