// A history that reads what a drawn history on a disk does from now on, and is brought up from its
// journal when its store fails.

import type { OpenHistory } from '../../../src/projections/history/create-history.ts'
import { addressesOf, openingOf } from '../../../src/projections/opening.ts'
import type { DiskHistory } from '../disk-history.ts'

export function feedByDisk(open: OpenHistory, { folder, data: { sequencer } }: DiskHistory): void {
  open.lastsBy({
    folder,
    seq: () => sequencer.seq,
    beginning: () => ({
      fromSeq: sequencer.seq,
      reserved: addressesOf(sequencer.view),
      opening: openingOf(sequencer.view),
    }),
  })
  sequencer.onBatch((batch) => open.feed(batch))
}
