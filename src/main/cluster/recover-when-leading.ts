// Starts a trading node of a cluster. The node is a standby until it leads, and meanwhile
// reports the current leader to clients.

import type { IncomingMessage } from 'node:http'
import { AdminDoor } from '../../gateway/admin/access/admin-door.ts'
import { FailedTokens } from '../../gateway/admin/access/failed-tokens.ts'
import { requireScope, Tokens } from '../../gateway/admin/access/tokens.ts'
import { parseTrustedProxies } from '../../gateway/limits/client-address.ts'
import { openExchangeData } from '../../sequencer/exchange-data.ts'
import type { OpenedFolder } from '../../sequencer/opened-folder.ts'
import type { EngineClock, SourceMemory } from '../../sequencer/ports.ts'
import { createMetrics } from '../metrics.ts'
import { type DataNeeds, recoverData } from '../recovered-data.ts'
import type { RunOptions } from '../run-options.ts'
import { addAccessMetrics } from '../watching/access-metrics.ts'
import { clusterOf } from './cluster-of.ts'
import type { LinkDoor } from './link-door.ts'
import { StandbyServer } from './standby-server.ts'

type Driving = Readonly<{ clock: EngineClock; sources: SourceMemory }>

/** Resolves when this node leads. */
export async function recoverWhenLeading(
  options: RunOptions,
  needs: DataNeeds,
  driving: Driving,
  door: LinkDoor | null,
) {
  const { config, log, onStepDown } = options
  const standby = await Standby.open(options)
  log.info({ port: standby.port }, `${config.node} stands by until it leads`)
  try {
    const cluster = clusterOf(config, log, door?.address ?? '', {
      standby: (leader) => standby.led(leader),
      inStep: () => standby.inStep(),
      stepDown: () => onStepDown?.(),
      leadChanges: (lastHour) => standby.changed(lastHour),
    })
    const onOpened = (opened: OpenedFolder) => {
      door?.giveTo(opened)
      standby.follows(opened)
    }
    const recovered = await recoverData(needs, (folder) =>
      openExchangeData({ ...folder, ...driving, cluster, onOpened }),
    )
    log.info({ seq: recovered.data.seq }, `${config.node} has taken the lead`)
    return recovered
  } finally {
    await standby.close()
  }
}

/** Serves both ports of a standby node, and its metrics. */
class Standby {
  private readonly failedTokens: FailedTokens
  private servers: readonly StandbyServer[] = []
  private opened: OpenedFolder | null = null
  private inStepAt = performance.now()
  private leadChanges = 0
  private readonly metrics = createMetrics({
    seq: () => this.opened?.seq ?? 0,
    waiting: () => 0,
    load: () => ({ underWay: 0, waiting: 0 }),
    historySeq: () => this.opened?.seq ?? 0,
    engineNow: () => this.opened?.view.atMs ?? 0,
    node: {
      leads: () => false,
      behindMs: () => performance.now() - this.inStepAt,
      followers: () => 0,
      leadChanges: () => this.leadChanges,
    },
  })

  private constructor(failedTokens: FailedTokens) {
    this.failedTokens = failedTokens
    addAccessMetrics(this.metrics.registry, failedTokens)
  }

  static async open({ config, tokens, log }: RunOptions): Promise<Standby> {
    const { host, port, adminHost, adminPort } = config
    const isPublic = config.metrics === 'public'
    const standby = new Standby(new FailedTokens(log))
    const { registry } = standby.metrics
    const trusted = parseTrustedProxies(config.trustedProxies)
    const holders = new AdminDoor(new Tokens(tokens), standby.failedTokens, trusted)
    const requireAllowed = async (request: IncomingMessage) => {
      if (!isPublic) requireScope(await holders.holderOf(request), 'read')
    }
    const [atPublic, atAdmin] = isPublic ? [registry, null] : [null, registry]
    const first = await StandbyServer.listen({ host, port, metrics: atPublic, requireAllowed })
    standby.servers = [first]
    try {
      const admin = { host: adminHost, port: adminPort, metrics: atAdmin, requireAllowed }
      standby.servers = [first, await StandbyServer.listen(admin)]
    } catch (error) {
      await standby.close()
      throw error
    }
    return standby
  }

  get port(): number {
    return this.servers[0]!.port
  }

  led(leader: string | null): void {
    for (const server of this.servers) server.led(leader)
  }

  follows(opened: OpenedFolder): void {
    this.opened = opened
  }

  changed(lastHour: number): void {
    this.leadChanges = lastHour
  }

  inStep(): void {
    this.inStepAt = performance.now()
  }

  async close(): Promise<void> {
    this.failedTokens.close()
    for (const server of this.servers) await server.close()
  }
}
