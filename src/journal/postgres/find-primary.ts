// Finds the primary among the machines. After a failover there can be two primaries, if one was
// isolated or paused while another was promoted. Each promotion begins a new timeline of the
// database, so the primary with the higher timeline was promoted later.

import { StoreFault } from '../store/store-fault.ts'
import type { Host } from './hosts.ts'
import { Session } from './session.ts'

/** A primary's timeline is in the first eight digits of the name of a log file. A standby has
 *  none. */
const question = `
  SELECT CASE WHEN pg_is_in_recovery() THEN NULL
    ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline`

export type Primary = Readonly<{ session: Session; timeline: number }>

/** Returns the timeline of a primary; `null` for a standby. */
export async function timelineOf(session: Session): Promise<number | null> {
  const { rows } = await session.query<{ timeline: string | null }>({ text: question })
  const { timeline } = rows[0]!
  return timeline === null ? null : Number.parseInt(timeline, 16)
}

/** Time in ms that other machines have to respond after a primary has answered. Stopped or isolated
 *  machines never respond. */
const otherMsMax = 500

export async function openPrimary(hosts: readonly Host[], msMax: number): Promise<Primary> {
  const faults: StoreFault[] = []
  const primaries = (await askAll(hosts, msMax, faults)).toSorted(
    (one, other) => other.timeline - one.timeline,
  )
  const [newest, ...older] = primaries
  for (const { session } of older) session.close()
  if (newest === undefined) throw noPrimary(hosts, faults)
  if (older[0]?.timeline !== newest.timeline) return newest
  newest.session.close()
  const names = primaries.map(({ session }) => session.host.name).join(' and ')
  throw new StoreFault(
    'STORE_NOT_REPLICATED',
    `${names} are both a primary, of the same timeline: they are not machines of one cluster`,
  )
}

async function askAll(
  hosts: readonly Host[],
  msMax: number,
  faults: StoreFault[],
): Promise<readonly Primary[]> {
  const primaries: Primary[] = []
  let found: () => void = () => undefined
  const late = new Promise<void>((resolve) => {
    found = () => void setTimeout(resolve, otherMsMax)
  })
  let over = false
  const attempts = hosts.map(async (host) => {
    try {
      const primary = await ask(host, msMax)
      if (primary === null) return
      if (over) return primary.session.close()
      primaries.push(primary)
      found()
    } catch (error) {
      faults.push(error as StoreFault)
    }
  })
  await Promise.race([Promise.all(attempts), late])
  over = true
  return primaries
}

async function ask(host: Host, msMax: number): Promise<Primary | null> {
  const session = await Session.open(host, msMax)
  try {
    const timeline = await timelineOf(session)
    if (timeline !== null) return { session, timeline }
  } catch (error) {
    session.close()
    throw error
  }
  session.close()
  return null
}

function noPrimary(hosts: readonly Host[], faults: readonly StoreFault[]): StoreFault {
  // If every machine has a fault, the error consists of their messages.
  if (faults.length === hosts.length) {
    const texts = [...new Set(faults.map(({ message }) => message))]
    return new StoreFault(faults[0]!.code, texts.join('; '), faults[0])
  }
  const names = hosts.map(({ name }) => name).join(', ')
  const others = faults.map(({ message }) => `; ${message}`).join('')
  return new StoreFault(
    'STORE_UNREACHABLE',
    `none of ${names} is a primary now: promote a standby, or name the primary, too${others}`,
  )
}
