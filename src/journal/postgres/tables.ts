// The tables of one exchange, created at first use. One row is one complete frame, exactly as in
// the file journal. The key of a row is the seal of the previous frame, so that no two frames can
// follow the same one. The first row follows the exchange's origin, with seq 0.

import { randomBytes, randomUUID } from 'node:crypto'
import { venueIdBytes } from '../../units/venue-id.ts'
import { folderOf, type Stage } from '../store/stage.ts'
import { StoreFault } from '../store/store-fault.ts'
import type { Session } from './session.ts'

/** Incremented with every incompatible change of the tables. */
const tablesVersion = 5

const making: readonly string[] = [
  `CREATE TABLE openperp_exchange (
    id int PRIMARY KEY, version int NOT NULL, format int NOT NULL, origin bytea NOT NULL,
    key_secret bytea NOT NULL, venue text NOT NULL, stage text NOT NULL, move text NOT NULL)`,
  `CREATE TABLE openperp_frame (
    last bigint PRIMARY KEY, before bytea NOT NULL UNIQUE, seal bytea NOT NULL,
    frame bytea NOT NULL)`,
  `CREATE TABLE openperp_lead (
    id int PRIMARY KEY, term bigint NOT NULL, beat bigint NOT NULL, holder text NOT NULL,
    lease_ms int NOT NULL, since timestamptz NOT NULL, step_down bigint NOT NULL)`,
  `INSERT INTO openperp_lead (id, term, beat, holder, lease_ms, since, step_down)
    VALUES (1, 0, 0, '', 0, now(), -1)`,
  `CREATE TABLE openperp_term (
    term bigint PRIMARY KEY, holder text NOT NULL, since timestamptz NOT NULL)`,
  `CREATE TABLE openperp_node (
    name text PRIMARY KEY, holder text NOT NULL, role text NOT NULL, version text NOT NULL,
    link text NOT NULL, hosts text NOT NULL, wall bigint NOT NULL, seq bigint NOT NULL,
    hash_seq bigint NOT NULL, hash text NOT NULL, reported timestamptz NOT NULL)`,
]

const firstRow = `
  INSERT INTO openperp_frame (last, before, seal, frame) VALUES (0, '', $1, '')`
const exchangeRow = `
  INSERT INTO openperp_exchange
    (id, version, format, origin, key_secret, venue, stage, move)
  VALUES (1, $1, $2, $3, $4, $5, $6, $7)`
const secretBytes = 32

/** Disables compression, because frames do not compress and trying costs the database time.
 *  Databases without this setting work as well. */
const plainStorage = 'ALTER TABLE openperp_frame ALTER COLUMN frame SET STORAGE EXTERNAL'

/** Error codes if another node has created the tables at the same time. */
const madeMeanwhile = new Set(['42P07', '42710', '23505'])
const missingTable = '42P01'
const unsupported = new Set(['0A000', '42601'])

/** Values that all nodes share in addition to the chain: the secret of API keys, and the venue
 *  id. */
export type SharedFacts = Readonly<{ keySecret: Buffer; venue: string }>
/** `keySecret`: absent for users of read nodes, who may not read it. `stage`: whether nodes may
 *  lead. `move`: the adoption that is not finished, or the departure; empty while the store is
 *  live. */
export type StoredFacts = Readonly<{
  keySecret?: Buffer
  venue: string
  stage: Stage
  move: string
}>
type Exchange = StoredFacts & Readonly<{ version: number; format: number; origin: Buffer }>

/** The expected exchange, and the format of its records. */
export type Wanted = Readonly<{
  origin: Buffer
  format: number
  /** Accepted stages (default: only `live`). */
  stages?: readonly Stage[]
  /** If there are no tables: facts of the exchange that is moved in; `null`: an error (default: a
   *  new exchange). */
  adopted?: SharedFacts | null
}>

/** `onlyReads`: at a read node, which neither creates tables nor reads the secret. */
export async function requireTables(
  session: Session,
  wanted: Wanted,
  onlyReads = false,
): Promise<StoredFacts> {
  const { origin, stages = ['live'] } = wanted
  const { adopted } = wanted
  const found = await readExchange(session, onlyReads)
  if (found === null && (onlyReads || adopted === null)) throw noExchange(session)
  const exchange = found ?? (await makeTables(session, wanted, adopted ?? null))
  const { version, format, origin: theirs, stage } = exchange
  const { name } = session.host
  if (version !== tablesVersion)
    throw new StoreFault(
      'STORE_VERSION',
      `the tables in the database ${name} have version ${version}; this program knows version ` +
        `${tablesVersion}. Nothing was changed. Run the openperp that the other nodes run`,
    )
  if (format !== wanted.format)
    throw new StoreFault(
      'STORE_VERSION',
      `the chain in the database ${name} is written in data format ${format}; this program knows ` +
        `${wanted.format}. Nothing was changed. Run the openperp that the other nodes run`,
    )
  if (!theirs.equals(origin))
    throw new StoreFault(
      'STORE_OF_ANOTHER',
      `the database ${name} holds another exchange (born as ${hex(theirs)}, this data folder as ` +
        `${hex(origin)}). Nothing was changed. Name the database of this exchange, or an empty ` +
        'one, or start with the data folder that belongs to it',
    )
  if (!stages.includes(stage)) throw inStage(name, exchange)
  return exchange
}

function inStage(name: string, { stage, move }: StoredFacts): StoreFault {
  if (stage === 'adopting')
    return new StoreFault(
      'STORE_MOVING',
      `an exchange is being moved into the database ${name}, and is not complete: run ` +
        '`openperp cluster adopt` with its data folder again, until it has finished',
    )
  return new StoreFault(
    'STORE_LEFT',
    `the exchange has left the database ${name} for ${folderOf(move)}, and goes on there: no ` +
      'node may lead here. `openperp cluster adopt` brings it back',
  )
}

const hex = (seal: Buffer) => seal.toString('hex').slice(0, 12)

async function readExchange(session: Session, onlyReads: boolean): Promise<Exchange | null> {
  try {
    const secret = onlyReads ? '' : ', key_secret AS "keySecret"'
    const text = `SELECT version, format, origin, venue, stage, move${secret}
      FROM openperp_exchange WHERE id = 1`
    const { rows } = await session.query<Exchange>({ text })
    return rows[0] ?? null
  } catch (error) {
    if (codeOf(error) === missingTable) return null
    throw error
  }
}

async function makeTables(
  session: Session,
  { origin, format }: Wanted,
  adopted: SharedFacts | null,
): Promise<Exchange> {
  const { keySecret, venue } = adopted ?? newFacts()
  const [stage, move] = adopted === null ? ['live', ''] : ['adopting', randomUUID()]
  try {
    await session.query({ text: 'BEGIN' })
    for (const text of making) await session.query({ text })
    await session.query({ text: firstRow, values: [origin] })
    const values = [tablesVersion, format, origin, keySecret, venue, stage, move]
    await session.query({ text: exchangeRow, values })
    await session.query({ text: 'COMMIT' })
  } catch (error) {
    if (!madeMeanwhile.has(codeOf(error))) throw error
    await session.query({ text: 'ROLLBACK' })
  }
  await session.query({ text: plainStorage }).catch((error) => {
    if (!unsupported.has(codeOf(error))) throw error
  })
  return (await readExchange(session, false))!
}

export function noExchange({ host }: Session, cause?: unknown): StoreFault {
  return new StoreFault(
    'STORE_OF_ANOTHER',
    `the database ${host.name} holds no exchange: name the one that its nodes have in their ` +
      'setting cluster',
    cause,
  )
}

function newFacts(): SharedFacts {
  const venue = randomBytes(venueIdBytes).toString('hex')
  return { keySecret: randomBytes(secretBytes), venue }
}

function codeOf(error: unknown): string {
  return ((error as Error).cause as { code?: string } | undefined)?.code ?? ''
}
