// The stage of a store, as statements. Each changes the stage only from the expected one, so that
// two concurrent moves cannot both succeed.

import type { ChainEnd } from '../store/frame-store.ts'
import type { Stage } from '../store/stage.ts'
import { StoreFault } from '../store/store-fault.ts'
import type { Held } from './postgres-lease.ts'
import type { Session } from './session.ts'

const endsWith = `
  EXISTS (SELECT 1 FROM openperp_frame WHERE last = $1::bigint AND seal = $2::bytea)
  AND NOT EXISTS (SELECT 1 FROM openperp_frame WHERE last > $1::bigint)`

/** Ends the term, so that a lease which is being taken at the same time is refused. */
const endTerm = `
  UPDATE openperp_lead SET term = term + 1, beat = 0, holder = ''
  WHERE id = 1 AND term = $1 AND holder = $2`

const leave = `
  UPDATE openperp_exchange SET stage = 'left', move = $3
  WHERE id = 1 AND stage = 'live' AND ${endsWith}`

const finish = `
  UPDATE openperp_exchange SET stage = 'live', move = ''
  WHERE id = 1 AND stage = 'adopting' AND ${endsWith}`

const reopen = `
  UPDATE openperp_exchange SET stage = 'adopting' WHERE id = 1 AND stage = 'left'`

/** Throws if no node may lead. A node that opened the store earlier notices it here. */
export async function requireLive(session: Session): Promise<void> {
  const text = 'SELECT stage FROM openperp_exchange WHERE id = 1'
  const { rows } = await session.query<{ stage: Stage }>({ text })
  if (rows[0]?.stage !== 'live') throw new StoreFault('STORE_LEFT', leftText(session))
}

const leftText = ({ host }: Session) =>
  `the exchange has left the database ${host.name} meanwhile: no node may lead here`

type Leaving = Readonly<{
  lease: Held
  end: ChainEnd
  move: string
}>

/** Ends our term and the exchange in this store, in one transaction. */
export async function markLeft(session: Session, leaving: Leaving): Promise<void> {
  const { lease, end, move } = leaving
  await session.query({ text: 'BEGIN' })
  const ended = await session.query({ text: endTerm, values: [lease.term, lease.holder] })
  const values = [end.seq, end.seal, move]
  const left = ended.count === 1 ? await session.query({ text: leave, values }) : ended
  await session.query({ text: left.count === 1 ? 'COMMIT' : 'ROLLBACK' })
  if (left.count !== 1)
    throw new StoreFault(
      'LEAD_LOST',
      'another node has taken the lead, or has added to the chain: stop all trading nodes, and ' +
        'run this again',
    )
}

export async function markAdopted(session: Session, end: ChainEnd): Promise<void> {
  const { count } = await session.query({ text: finish, values: [end.seq, end.seal] })
  if (count !== 1) throw changed(session)
}

export async function reopenLeft(session: Session): Promise<void> {
  const { count } = await session.query({ text: reopen })
  if (count !== 1) throw changed(session)
}

export function changed({ host }: Session): StoreFault {
  return new StoreFault(
    'CHAIN_MOVED',
    `another process changes the database ${host.name} at the same time: end it, and run this ` +
      'again',
  )
}
