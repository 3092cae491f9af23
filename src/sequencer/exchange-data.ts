// One exchange on disk that this process leads. The sequencer appends to its folder, and frames are
// sent to followers. Closing writes a snapshot, so that the next start has no entries to replay.

import type { Command, MarketId } from '../core/index.ts'
import type { SealedFrame } from '../journal/journal.ts'
import { ReplicatedJournal } from '../journal/store/replicated-journal.ts'
import { joinCluster, type Lead } from './cluster/join-cluster.ts'
import { requireAlone } from './cluster/membership.ts'
import type { Cluster } from './cluster/stand-by.ts'
import { Followers, type FollowersParts } from './link/followers.ts'
import { type FolderOptions, OpenedFolder } from './opened-folder.ts'
import type { EngineClock, SourceMemory } from './ports.ts'
import { Sequencer } from './sequencer.ts'
import type { Clocks } from './stamps/stamp-clock.ts'

export type ExchangeDataOptions = Omit<FolderOptions, 'onBreaches'> &
  Readonly<{
    clock: EngineClock
    /** Clocks for the stamps of signed commands (default: those of the process). */
    clocks?: Clocks
    sources: SourceMemory
    /** Set if several machines share the journal as a chain. Opening resolves when this node
     *  leads. */
    cluster?: Cluster
    /** Called when the folder is open, before the node leads. */
    onOpened?: (opened: OpenedFolder) => void
    followers?: Pick<FollowersParts, 'unsentBytesMax'>
  }>

export class ExchangeData extends OpenedFolder {
  readonly sequencer: Sequencer
  /** Other processes, which receive every frame that is appended from now on. */
  readonly followers: Followers
  private readonly lead: Lead | null

  constructor(opened: OpenedFolder, sequencer: Sequencer, followers: Followers, lead: Lead | null) {
    super(opened.parts, opened.recovery)
    this.sequencer = sequencer
    this.followers = followers
    this.lead = lead
  }

  /** Whether an answer may be given now: in a cluster, while this node leads. */
  get mayAnswer(): boolean {
    return this.lead?.leadership.holds ?? true
  }

  /** Time in ms for which answers may be given; negative if the lease has ended. */
  get leaseLeftMs(): number {
    return this.lead?.leadership.leftMs ?? Number.POSITIVE_INFINITY
  }

  /** How often the lead changed within the last hour. */
  get leadChanges(): number {
    return this.lead?.report.leadChanges ?? 0
  }

  /** Called between long steps of the start, during which this thread would appear to hang. */
  showProgress(): void {
    this.lead?.leadership.showProgress()
  }

  /** Completes queued entries, and writes a snapshot (default: true). */
  close({ snapshot = true }: Readonly<{ snapshot?: boolean }> = {}): Promise<void> {
    const { sequencer } = this
    return this.closeAfter(
      () => sequencer.close(),
      () => snapshot && !sequencer.failed,
    )
  }
}

export async function openExchangeData(options: ExchangeDataOptions): Promise<ExchangeData> {
  const { clock, clocks, sources, onFatal, cluster } = options
  let sequencer: Sequencer | null = null
  let followers: Followers | null = null
  if (cluster === undefined) requireAlone(options.folder)
  const onFrame = (frame: SealedFrame) => followers?.publish(frame)
  const opened = await OpenedFolder.open({
    ...options,
    // In a cluster a frame is published when the store has it.
    journal: { ...options.journal, ...(cluster === undefined && { onFrame }) },
    // Followers do not report breaches, because their leader finds the same ones.
    onBreaches: (breaches) => sequencer !== null && reportBreaches(sequencer, breaches),
  })
  options.onOpened?.(opened)
  const lead = cluster === undefined ? null : await leadOf(cluster, opened, options)
  const { journal, replica, saved, snapshotter } = opened.parts
  // The last followed frame may not be on this disk yet.
  await journal.settled()
  const appends = lead === null ? journal : new ReplicatedJournal(lead.leadership, journal, onFrame)
  const leading = new Sequencer({
    ...{ replica, journal: appends, clock, saved, sources, onFatal },
    ...(clocks !== undefined && { clocks }),
    isManual: opened.genesis.manualClock !== undefined,
  })
  sequencer = leading
  followers = new Followers({
    end: { seq: journal.seq, seal: journal.lastSeal },
    ask: (record, mayPass) => leading.askRecord(record, mayPass),
    leadsDisk: lead !== null,
    ...options.followers,
  })
  leading.onBatch(() => {
    snapshotter.grown()
    lead?.report.passed()
  })
  return new ExchangeData(opened, leading, followers, lead)
}

/** Resolves when this node leads. */
async function leadOf(
  cluster: Cluster,
  opened: OpenedFolder,
  { feed, onFatal }: ExchangeDataOptions,
): Promise<Lead> {
  try {
    return await joinCluster(cluster, { opened, feed, onFatal })
  } catch (error) {
    await opened.closeAfter(
      () => opened.parts.journal.close(),
      () => false,
    )
    throw error
  }
}

/** Records a breach in history. The core then stops accepting risk, and an operator decides. */
function reportBreaches(sequencer: Sequencer, breaches: readonly string[]): void {
  // A stopped sequencer accepts no commands that would need protection.
  for (const { command, why } of breachCommands(breaches))
    sequencer.submit(command, { who: 'audit', why }).catch(() => undefined)
}

/** Returns one command for each invariant and market. Only breaches of invariants 2 to 4 are
 *  limited to a market. */
export function breachCommands(
  breaches: readonly string[],
): readonly Readonly<{ command: Command; why: string }>[] {
  const commands = new Map<string, { command: Command; why: string }>()
  for (const why of breaches) {
    const invariant = Number.parseInt(why, 10)
    const named = Number.parseInt(/market (\d+)/.exec(why)?.[1] ?? '0', 10)
    const market = named > 0 && invariant >= 2 && invariant <= 4 ? (named as MarketId) : null
    const key = `${invariant} ${market}`
    if (!commands.has(key))
      commands.set(key, { command: { type: 'Breach', market, invariant }, why })
  }
  return [...commands.values()]
}
