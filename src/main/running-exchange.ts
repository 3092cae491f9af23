// Assembles the exchange: data folder, history, sources, public servers, admin plane. Nothing is
// served before recovery is complete. Each component is closed after the components that feed it.

import { addressOfName } from '../embed/options/named-keys.ts'
import type { ApiKeyMaker, Closed, Exchange } from '../gateway/exchange.ts'
import { Lab } from '../gateway/lab/lab.ts'
import { parseTrustedProxies } from '../gateway/limits/client-address.ts'
import { OpenConnections } from '../gateway/open-connections.ts'
import type { FedStatistics } from '../projections/market-statistics.ts'
import { type ExchangeData, openExchangeData } from '../sequencer/exchange-data.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import { untimedNote } from './banner.ts'
import { LinkDoor } from './cluster/link-door.ts'
import { recoverWhenLeading } from './cluster/recover-when-leading.ts'
import { runReader } from './cluster/run-reader.ts'
import { followStatistics } from './follow-statistics.ts'
import { ForkProcesses } from './forks/fork-processes.ts'
import { exchangeOver } from './front/exchange-over.ts'
import { LeadersServers } from './front/leaders-servers.ts'
import { requirePortsOfNewFolder } from './front/require-ports.ts'
import { gatewayCount } from './gateways/gateway-count.ts'
import { genesisOf, requireClockOf, requireForkOf } from './genesis.ts'
import { openApiKeys } from './open-api-keys.ts'
import { type OwnShare, ownShare } from './peers/own-share.ts'
import { LeadersReceipts } from './receipts/receipts.ts'
import { type DataNeeds, type RecoveredData, recoverData } from './recovered-data.ts'
import type { RunningExchange, RunOptions } from './run-options.ts'
import { LateSources, type Sources, startSources } from './start-sources.ts'
import { type RunningTreasury, startTreasury } from './treasury/treasury.ts'
import { warnOfLimits } from './watching/warn-of-limits.ts'
import { systemTime } from './webhooks/deliverer.ts'
import { startWebhooks, type Webhooks } from './webhooks/webhooks.ts'

export async function runExchange(options: RunOptions): Promise<RunningExchange> {
  const { config, log } = options
  // Unreadable files are reported before the data folder is opened.
  parseTrustedProxies(config.trustedProxies)
  requireForkOf(config)
  if (config.role === 'read') return runReader(options)
  requireClockOf(config)
  await requirePortsOfNewFolder(config)
  const isLinked = config.clusterKey !== '' || config.readerKeys !== ''
  const door = isLinked ? await LinkDoor.open(config, log) : null
  try {
    return await runLeader(options, door)
  } catch (error) {
    door?.close()
    throw error
  }
}

async function runLeader(options: RunOptions, door: LinkDoor | null): Promise<RunningExchange> {
  const { config } = options
  const late = new LateSources()
  const recovered = await recoverOrFollow(options, late, door)
  const { data, history } = recovered
  const recoveredSeq = data.seq
  data.showProgress()
  const begun = await begin(options, recovered, late)
  data.showProgress()
  const { sources, webhooks, treasury, receipts } = begun
  let draining = false
  const drain = () => {
    draining = true
  }
  const closed = () => (draining ? 'draining' : closedBy(recovered))
  const own = ownShare(config, () => servers.peers)
  const engineNow = () => late.engineClock.now()
  const exchange = exchangeOf(options, { ...begun, recovered, closed, own, engineNow })
  const parts = {
    ...recovered,
    sources,
    webhooks,
    treasury,
    receipts,
    exchange,
    own,
    door,
    closed,
    drain,
    engineNow,
  }
  const servers: LeadersServers = new LeadersServers(options, parts)
  const close = async (onWait: (waitsFor: string) => void = () => undefined) => {
    drain()
    onWait('requests of clients')
    const ended = [sources.close(), exchange.forks?.close()]
    await servers.close()
    onWait('webhooks and the treasury')
    await Promise.all([webhooks.close(), treasury.close()])
    onWait('prices and bots')
    await Promise.all(ended)
    await receipts.close()
    onWait('the journal and its snapshot')
    await data.close()
    onWait('the history store')
    await history.close()
  }
  try {
    const ports = await servers.listen()
    data.showProgress()
    warnOfLimits(data.sequencer.view, options)
    sources.fillPast()
    return { exchange, ...ports, recoveredSeq, drain, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Recovers the data folder. In a cluster this waits until the node leads. */
function recoverOrFollow(
  options: RunOptions,
  late: LateSources,
  door: LinkDoor | null,
): Promise<RecoveredData<ExchangeData>> {
  const { config, log, onFatal, freeBytes } = options
  const needs: DataNeeds = {
    ...{ config, genesis: genesisOf(config), log, onFatal },
    ...(freeBytes !== undefined && { freeBytes }),
  }
  const driving = { clock: late.engineClock, sources: late.memory }
  if (config.cluster !== '') return recoverWhenLeading(options, needs, driving, door)
  return recoverData(needs, (folder) => openExchangeData({ ...folder, ...driving }))
}

type Begun = Readonly<{
  apiKeys: ApiKeyMaker
  statistics: FedStatistics
  sources: Sources
  webhooks: Webhooks
  treasury: RunningTreasury
  receipts: LeadersReceipts
}>

/** Starts everything. If this fails, it leaves nothing open, so that an embedding process can
 *  retry. */
async function begin(
  options: RunOptions,
  recovered: RecoveredData<ExchangeData>,
  late: LateSources,
): Promise<Begun> {
  const { config, log, onFatal, webhookTime: time, checkpointMs } = options
  const { data, history } = recovered
  const { sequencer } = data
  try {
    const apiKeys = await openApiKeys(config.data, sequencer.view, log)
    const note = untimedNote(config)
    if (note !== null) log.warn(note)
    late.bind(sequencer)
    sequencer.onBatch((batch) => history.feed(batch))
    const statistics = await followStatistics(sequencer, history, onFatal)
    const sources = await startSources({ config, data, history, late, log, fault: onFatal })
    const webhooks = await startWebhooks({ config, log, history, sequencer, time })
    const treasury = await treasuryOf(options, recovered)
    const receipts = new LeadersReceipts({
      folder: config.data,
      durableSeq: () => data.durableSeq,
      isOnDisk: (seq) => data.isOnDisk(seq),
      mayAnswer: () => data.mayAnswer,
      onWarning: (text) => log.warn(text),
      ...(checkpointMs !== undefined && { everyMs: checkpointMs }),
    })
    return { apiKeys, statistics, sources, webhooks, treasury, receipts }
  } catch (error) {
    await data.close({ snapshot: false })
    await history.close()
    throw error
  }
}

function treasuryOf(
  { config, log, webhookTime: time = systemTime }: RunOptions,
  { data: { sequencer }, history }: RecoveredData<ExchangeData>,
): Promise<RunningTreasury> {
  const exchange = {
    seq: () => sequencer.seq,
    view: () => sequencer.view,
    submit: (...args: Parameters<typeof sequencer.submit>) => sequencer.submit(...args),
  }
  const { treasury: setting, mode } = config
  return startTreasury({ setting, mode, time, exchange, log, history: history.history })
}

/** The waker submits the commands that complete the work. */
async function workDone(sequencer: Sequencer): Promise<void> {
  while (sequencer.view.hasWorkLeft && !sequencer.failed)
    await new Promise((done) => setImmediate(done))
}

function closedBy({ data, history }: RecoveredData<ExchangeData>): Closed {
  if (data.diskLow()) return 'disk_full'
  if (data.sequencer.view.mode === 'halted') return 'halted'
  return history.behind() ? 'overloaded' : null
}

type ExchangeParts = Begun &
  Readonly<{
    recovered: RecoveredData<ExchangeData>
    closed: () => Closed
    own: OwnShare
    engineNow: () => number
  }>

function exchangeOf({ config }: RunOptions, parts: ExchangeParts): Exchange {
  const { data, history } = parts.recovered
  const { sandbox } = parts.sources
  const connections = gatewayCount(config.gateways) === 0 ? new OpenConnections() : null
  const isManual = data.genesis.manualClock !== undefined
  const { engineNow } = parts
  const isSingle = sandbox !== null && connections !== null
  return exchangeOver(data.sequencer, {
    config,
    history: history.history,
    statistics: parts.statistics.statistics,
    closed: parts.closed,
    keyUse: parts.own.keyUse,
    apiKeys: parts.apiKeys,
    receipts: parts.receipts,
    sandbox,
    disputedPrices: () => parts.sources.prices?.disputed() ?? [],
    connections,
    lab: isSingle
      ? new Lab({
          ...{ isManual, engineNow, sandbox, connections, addressOf: addressOfName },
          submit: (command) => data.sequencer.submit(command),
          view: () => data.sequencer.view,
        })
      : null,
    forks: isSingle
      ? new ForkProcesses({
          ...{ config, isFork: data.genesis.fork !== undefined },
          seq: () => data.sequencer.seq,
        })
      : null,
    manual: isManual ? { now: engineNow, workDone: () => workDone(data.sequencer) } : null,
  })
}
