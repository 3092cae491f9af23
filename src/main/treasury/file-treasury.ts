// A treasury that is a folder:
// - `in/`: CSV files of reports. They are moved to `in/done/`, or to `in/refused/` next to a text
//   file with the reason.
// - `out/`: one CSV file per payment order.
//
// Each order is published exactly once, even if its file is later moved or deleted. The order is
// written under a name that begins with a dot, its position is made durable in the journal, and
// then the file is renamed. A dot file found after a crash means that the rename did not happen.

import { isUtf8 } from 'node:buffer'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import { makeFolder } from '../../journal/private-folder.ts'
import type { PaymentRow } from '../../projections/history/history.ts'
import { formatDecimal } from '../../units/decimal.ts'
import { type CsvRow, csvRows } from './csv.ts'
import { isSlip, readReport, reportFields, type Written } from './report.ts'
import type { Delivery, Place, Refused, Treasury } from './treasury-port.ts'

const bytesMax = 1_048_576
const rowsMax = 10_000
/** Time in ms for which a file without a newline at its end is considered unfinished. */
const unfinishedMs = 60_000
const refusedShown = 20
/** Number of rows read before yielding to other work. */
const rowsPerTurn = 200
/** Maximum length of an archived file name, without the time prefix and the `.txt` suffix. File
 *  systems allow 255 bytes. */
const nameBytesMax = 200

export async function openFileTreasury(folder: string): Promise<Treasury> {
  const places = {
    in: join(folder, 'in'),
    done: join(folder, 'in', 'done'),
    refused: join(folder, 'in', 'refused'),
    out: join(folder, 'out'),
  }
  for (const each of Object.values(places)) makeFolder(each, 0o750)
  return {
    where: folder,
    pay: (row) => prepared(places.out, row),
    kept: (place) => publish(places.out, place),
    next: oneByOne(places),
  }
}

const partOf = ({ withdrawal, seq, place }: PaymentRow) =>
  `.withdrawal-${withdrawal}.${seq}-${place}.part`
const partForm = /^\.(withdrawal-\d+)\.(\d+)-(\d+)\.part$/

async function prepared(out: string, row: PaymentRow): Promise<string | null> {
  const { withdrawal, account, amount, atMs } = row
  const cells = [withdrawal, account, formatDecimal(amount, 6), new Date(atMs).toISOString()]
  const text = `withdrawal_id,account,amount,approved_at\n${cells.join(',')}\n`
  try {
    const part = join(out, partOf(row))
    // An existing file is left over from a crash. It may also be a link, which must not be
    // followed.
    await rm(part, { force: true })
    await writeFile(part, text, { mode: 0o640, flush: true, flag: 'wx' })
    await syncFolder(out)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

async function publish(out: string, { seq, place }: Place): Promise<void> {
  for (const name of await readdir(out)) {
    const [, order, ofSeq, ofPlace] = partForm.exec(name) ?? []
    if (order === undefined) continue
    const isKept = Number(ofSeq) < seq || (Number(ofSeq) === seq && Number(ofPlace) <= place)
    if (isKept) await rename(join(out, name), join(out, `${order}.csv`))
  }
  await syncFolder(out)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

type Places = Readonly<Record<'in' | 'done' | 'refused' | 'out', string>>

/** Delivers the files one by one. A file that could not be moved away is read again before later
 *  files. */
function oneByOne(places: Places): Treasury['next'] {
  let files = filesIn(places)
  let isAway = true
  return async () => {
    if (!isAway) files = filesIn(places)
    isAway = false
    const { value: file } = await files.next()
    if (file === undefined) return null
    return {
      ...file,
      async end(refused) {
        await file.end(refused)
        isAway = true
      },
    }
  }
}

/** Yields complete files, sorted by name. The folder is listed once for all of them, because there
 *  may be thousands. */
async function* filesIn(places: Places): AsyncGenerator<Delivery, void> {
  const names = (await readdir(places.in)).filter((name) => /^[^.].*\.csv$/.test(name)).sort()
  for (const name of names) {
    const handle = await openPlain(join(places.in, name))
    if (handle === null) continue
    const read = await contentOf(handle).finally(() => handle.close())
    if (read !== 'unfinished') yield await deliveryOf(places, name, read)
  }
}

/** Opens a regular file; returns `null` for a folder, a link or a socket. */
async function openPlain(file: string): Promise<FileHandle | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(file, flags).catch((error) => {
    if (['ELOOP', 'ENOENT', 'ENXIO'].includes(error.code)) return null
    throw error
  })
  if (handle === null || (await handle.stat()).isFile()) return handle
  await handle.close()
  return null
}

type Content = Readonly<{ text: string; was: BigIntStats; refused: readonly Refused[] }>

async function contentOf(handle: FileHandle): Promise<Content | 'unfinished'> {
  const was = await handle.stat({ bigint: true })
  const refusal = (says: string) => ({ text: '', was, refused: [{ at: 'the file', says }] })
  if (was.size > bytesMax)
    return refusal(`it has ${was.size} bytes, and ${bytesMax} are taken at most`)
  const bytes = await handle.readFile()
  const isWhole = bytes.length === Number(was.size) && bytes.at(-1) === 0x0a
  // Decoding would make references equal that differ only in invalid bytes.
  if (isWhole && !isUtf8(bytes)) return refusal('it is not UTF-8: save it as such')
  if (isWhole) return { text: bytes.toString('utf8'), was, refused: [] }
  if (Date.now() - Number(was.mtimeMs) < unfinishedMs) return 'unfinished'
  return refusal('its last line has no end: it was not written to its end, or lacks a line break')
}

async function deliveryOf(places: Places, name: string, content: Content): Promise<Delivery> {
  const read = content.refused.length > 0 ? content.refused : await reportsIn(content.text)
  const isRefused = (each: (typeof read)[number]): each is Refused => 'says' in each
  const refused = read.filter(isRefused)
  return {
    name,
    refused,
    reports: refused.length > 0 ? [] : read.flatMap((each) => (isRefused(each) ? [] : each)),
    end: (found) => putAway(places, name, content.was, found),
  }
}

type Read = Refused | Delivery['reports'][number]

async function reportsIn(text: string): Promise<readonly Read[]> {
  const whole = (line: number, says: string): Refused[] => [{ at: `line ${line}`, says }]
  const wanted = reportFields.join(',')
  const read: Read[] = []
  let isHead = true
  let count = 0
  for (const row of csvRows(text)) {
    if (++count % rowsPerTurn === 0) await others()
    if (!('cells' in row))
      return whole(row.line, 'a quote is not closed, or text follows a closed one')
    const { line, cells } = row
    if (cells.join() === '') continue
    if (isHead && cells.join() !== wanted) return whole(1, `the first line must be ${wanted}`)
    if (read.length === rowsMax)
      return whole(line, `a file has ${rowsMax} rows at most, and this one has more`)
    if (!isHead) read.push(reportIn(row))
    isHead = false
  }
  return isHead ? whole(1, `the first line must be ${wanted}`) : read
}

function reportIn({ line, cells }: CsvRow): Read {
  const at = `line ${line}`
  if (cells.length !== reportFields.length)
    return { at, says: `it has ${cells.length} columns, and must have ${reportFields.length}` }
  const written = Object.fromEntries(reportFields.map((field, place) => [field, cells[place]]))
  const report = readReport(written as Written)
  return isSlip(report)
    ? { at: `${at}, column ${report.column}`, says: report.says }
    : { at, report }
}

const isSame = (one: BigIntStats, other: BigIntStats) =>
  one.ino === other.ino && one.size === other.size && one.mtimeNs === other.mtimeNs

/** Moves a file away, under a name with the time. If the file was changed or replaced since it was
 *  read, it stays, because the new content was not read. */
async function putAway(
  { in: from, done, refused: bad }: Places,
  name: string,
  was: BigIntStats,
  refused: readonly Refused[],
): Promise<void> {
  const end = Buffer.from(name).subarray(-nameBytesMax).toString()
  const kept = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${end}`
  if (!isSame(await stat(join(from, name), { bigint: true }), was)) return
  if (refused.length === 0) return rename(join(from, name), join(done, kept))
  const shown = refused.slice(0, refusedShown).map(({ at, says }) => `${at}: ${says}`)
  const more = refused.length - shown.length
  const text = [...shown, ...(more > 0 ? [`and ${more} more`] : []), ''].join('\n')
  await writeFile(join(bad, `${kept}.txt`), text, { mode: 0o640 })
  await rename(join(from, name), join(bad, kept)).catch(async (error) => {
    await rm(join(bad, `${kept}.txt`), { force: true })
    throw error
  })
}
