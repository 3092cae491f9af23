// A treasury that is a folder. `in/`: CSV files of reports, which are moved to `in/done/`, or to
// `in/refused/` beside a text that says why. `out/`: one CSV file per payment order.
//
// An order is published exactly once, whatever becomes of its file afterwards. It is written under
// a name that begins with a dot, then its place is made durable in the journal, then it is renamed.
// A file with a dot that is left over from before a crash says that the rename did not happen.

import { constants } from 'node:fs'
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import type { PaymentRow } from '../../projections/history/history.ts'
import { formatDecimal } from '../../units/decimal.ts'
import { csvRows } from './csv.ts'
import { isSlip, readReport, reportFields, type Written } from './report.ts'
import type { Delivery, Place, Refused, Treasury } from './treasury-port.ts'

const bytesMax = 1_048_576
const rowsMax = 10_000
/** A file without the end of its last line is being written, for so long. */
const unfinishedMs = 60_000
const refusedShown = 20

export async function openFileTreasury(folder: string): Promise<Treasury> {
  const places = {
    in: join(folder, 'in'),
    done: join(folder, 'in', 'done'),
    refused: join(folder, 'in', 'refused'),
    out: join(folder, 'out'),
  }
  for (const each of Object.values(places)) await mkdir(each, { recursive: true, mode: 0o750 })
  return {
    where: folder,
    pay: (row) => prepared(places.out, row),
    kept: (place) => publish(places.out, place),
    next: () => nextFile(places),
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
    await writeFile(join(out, partOf(row)), text, { mode: 0o640, flush: true })
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

/** The first by name that is whole. */
async function nextFile(places: Places): Promise<Delivery | null> {
  const names = (await readdir(places.in)).filter((name) => /^[^.].*\.csv$/.test(name)).sort()
  for (const name of names) {
    const file = join(places.in, name)
    const handle = await openPlain(file)
    if (handle === null) continue
    const read = await contentOf(handle).finally(() => handle.close())
    if (read === 'unfinished') continue
    return deliveryOf(places, name, read)
  }
  return null
}

/** Null: it is no file, but a folder or a link. */
async function openPlain(file: string): Promise<FileHandle | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(file, flags).catch((error) => {
    if (error.code === 'ELOOP' || error.code === 'ENOENT') return null
    throw error
  })
  if (handle === null || (await handle.stat()).isFile()) return handle
  await handle.close()
  return null
}

type Content = Readonly<{ text: string; size: number; refused: readonly Refused[] }>

async function contentOf(handle: FileHandle): Promise<Content | 'unfinished'> {
  const { size, mtimeMs } = await handle.stat()
  const refusal = (says: string) => ({ text: '', size, refused: [{ at: 'the file', says }] })
  if (size > bytesMax) return refusal(`it has ${size} bytes, and ${bytesMax} are taken at most`)
  const bytes = await handle.readFile()
  const isWhole = bytes.length === size && bytes.at(-1) === 0x0a
  if (isWhole) return { text: bytes.toString('utf8'), size, refused: [] }
  if (Date.now() - mtimeMs < unfinishedMs) return 'unfinished'
  return refusal('its last line has no end: it was not written to its end, or lacks a line break')
}

function deliveryOf(places: Places, name: string, content: Content): Delivery {
  const read = content.refused.length > 0 ? content.refused : reportsIn(content.text)
  const isRefused = (each: (typeof read)[number]): each is Refused => 'says' in each
  const refused = read.filter(isRefused)
  return {
    name,
    refused,
    reports: refused.length > 0 ? [] : read.flatMap((each) => (isRefused(each) ? [] : each)),
    end: (found) => putAway(places, name, content.size, found),
  }
}

function reportsIn(text: string) {
  const rows = csvRows(text)
  const whole = (line: number, says: string): Refused[] => [{ at: `line ${line}`, says }]
  if ('line' in rows) return whole(rows.line, 'a quote is not closed, or text follows a closed one')
  const [head, ...rest] = rows
  const wanted = reportFields.join(',')
  if (head?.cells.join(',') !== wanted) return whole(1, `the first line must be ${wanted}`)
  if (rest.length > rowsMax)
    return whole(rowsMax + 2, `a file has ${rowsMax} rows at most, and this one ${rest.length}`)
  return rest.map(({ line, cells }) => {
    const at = `line ${line}`
    if (cells.length !== reportFields.length)
      return { at, says: `it has ${cells.length} columns, and must have ${reportFields.length}` }
    const written = Object.fromEntries(reportFields.map((field, place) => [field, cells[place]]))
    const report = readReport(written as Written)
    return isSlip(report)
      ? { at: `${at}, column ${report.column}`, says: report.says }
      : { at, report }
  })
}

/** Out of the way, under a name that says when. A file that has grown meanwhile stays. */
async function putAway(
  { in: from, done, refused: bad }: Places,
  name: string,
  size: number,
  refused: readonly Refused[],
): Promise<void> {
  const kept = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${name}`
  if ((await stat(join(from, name))).size !== size) return
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
