// `openperp cluster adopt` and `leave`: move an exchange into a cluster, and out of it.

import {
  openAdoptingStore,
  openPostgresStore,
  readPostgresStatus,
} from '../../../journal/postgres/open-store.ts'
import { machineMs } from '../../../journal/store/machine-clock.ts'
import {
  type Adopting,
  adoptFolder,
  type Moved,
  type MoveProgress,
} from '../../../sequencer/cluster/adopt-folder.ts'
import { leaveCluster } from '../../../sequencer/cluster/leave-cluster.ts'
import { loseCluster } from '../../../sequencer/cluster/lose-cluster.ts'
import { formatVersion } from '../../../sequencer/data-folder.ts'
import { newGenesis } from '../../../sources/sandbox-markets.ts'
import type { Result } from '../../frame/command.ts'
import { CliError } from '../../frame/exit-codes.ts'
import { pairsOf, type Screen } from '../../frame/screen.ts'
import { onData } from '../data-option.ts'

type Move = Readonly<{ url: string; folder: string; screen: Screen }>

/** Timeout in ms of each statement, and duration of the lease that a departure takes. */
const statementMs = 30_000

const common = (url: string) => ({
  ...{ connectionString: url, format: formatVersion, leaseMs: statementMs, now: machineMs },
})

export async function adopt({ url, folder, screen }: Move): Promise<Result> {
  const open: Adopting['open'] = ({ origin, ...adopted }) =>
    openAdoptingStore({ ...common(url), origin, adopted })
  const moved = await onFolder(() => adoptFolder({ folder, open, onProgress: shownOn(screen) }))
  return moveResult('adopted', folder, moved)
}

export async function leave({ url, folder, screen }: Move): Promise<Result> {
  const moved = await onFolder(() =>
    leaveCluster({
      folder,
      genesis: newGenesis('venue'),
      open: (origin) =>
        openPostgresStore({ ...common(url), origin, stages: ['live', 'left'], adopted: null }),
      status: () => readPostgresStatus(url),
      now: machineMs,
      onProgress: shownOn(screen),
      onWarning: (text) => screen.remark(`openperp: ${text}`),
    }),
  )
  return moveResult('left into', folder, moved)
}

/** Without the database, which must be lost for good. */
export async function leaveLost(folder: string): Promise<Result> {
  return moveResult('left into', folder, await onFolder(() => loseCluster(folder)))
}

const verbs = { copying: 'copied', checking: 'checked' } as const

function shownOn(screen: Screen): (progress: MoveProgress) => void {
  return ({ part, seq, of }) => screen.progress(`${verbs[part]}  entry ${seq} of ${of}`)
}

function moveResult(what: string, folder: string, moved: Moved): Result {
  const { seq, stateHash, tradingHash } = moved
  return {
    json: { folder, ...moved },
    lines: pairsOf([
      [what, folder],
      ['up to', `entry ${seq}`],
      ['state hash', stateHash],
      ['trading hash', tradingHash],
    ]),
  }
}

async function onFolder<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await onData(work)
  } catch (error) {
    const { name, message } = error as Error
    if (name !== 'FolderNotEmpty') throw error
    throw new CliError('refused', message, {
      hint: 'name the data folder of a node, or an empty folder, with --data',
    })
  }
}
