// A node of a cluster that trades: it follows until it leads, and says meanwhile who does.

import { openExchangeData } from '../../sequencer/exchange-data.ts'
import type { OpenedFolder } from '../../sequencer/opened-folder.ts'
import type { EngineClock, SourceMemory } from '../../sequencer/ports.ts'
import { type DataNeeds, recoverData } from '../recovered-data.ts'
import type { RunOptions } from '../run-options.ts'
import { clusterOf } from './cluster-of.ts'
import type { LinkDoor } from './link-door.ts'
import { StandbyServer } from './standby-server.ts'

type Driving = Readonly<{ clock: EngineClock; sources: SourceMemory }>

/** Resolves when this node leads. */
export async function leadWhenFree(
  { config, log, onStepDown }: RunOptions,
  needs: DataNeeds,
  driving: Driving,
  door: LinkDoor | null,
) {
  const standby = await StandbyServer.listen(config.host, config.port)
  log.info({ port: standby.port }, `${config.node} stands by until it leads`)
  try {
    const cluster = clusterOf(config, log, door?.address ?? '', {
      standby: (leader) => standby.led(leader),
      stepDown: () => onStepDown?.(),
    })
    const onOpened = (opened: OpenedFolder) => door?.giveTo(opened)
    const recovered = await recoverData(needs, (folder) =>
      openExchangeData({ ...folder, ...driving, cluster, onOpened }),
    )
    log.info({ seq: recovered.data.seq }, `${config.node} has taken the lead`)
    return recovered
  } finally {
    await standby.close()
  }
}
