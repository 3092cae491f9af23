// Entries as bytes and back, exactly: what is applied after a restart is what was applied before.
// Entries are JSON. The commands that make up nearly all of history are rows without field names,
// which halves their bytes and the time to read them; a row's first number says what it is and is
// never given another meaning. Everything else is spelled out.

import type {
  CancelOrder,
  Command,
  CommandOf,
  EditOrder,
  PlaceMarketOrder,
  PlaceOrder,
  Proof,
} from '../core/commands.ts'
import type { Entry } from './entry.ts'

/** An entry without its seq: that is the place of its record in the journal. */
export type Stamped = Readonly<{ atMs: number; entry: Entry }>

/** What 256 of them make still fits a frame. */
export const recordBytesMax = 128 * 1_024
export const controlBytesMax = 32 * 1_024 * 1_024

const PLACE_ORDER = 1
const PLACE_MARKET_ORDER = 2
const CANCEL_ORDER = 3
const EDIT_ORDER = 4
const ORACLE_TICK = 5
const TICK = 6

type Row = readonly unknown[]

export class EntryNotExact extends Error {
  override readonly name = 'EntryNotExact'
  readonly code = 'ENTRY_NOT_EXACT'
}

export function encodeEntry({ atMs, entry }: Stamped): Buffer {
  const row = entry.kind === 'command' && entry.by === null ? rowOf(entry.command, atMs) : null
  // A field that is absent is not one that is null; a row could not tell.
  const short = row !== null && !row.includes(undefined)
  return Buffer.from(JSON.stringify(short ? row : { ...entry, atMs }))
}

export function decodeEntry(bytes: Buffer, from: number, to: number): Stamped {
  const read = JSON.parse(bytes.toString('utf8', from, to))
  if (Array.isArray(read)) return stampedOf(read)
  const { atMs, ...entry } = read
  return { atMs, entry }
}

function rowOf(command: Command, atMs: number): Row | null {
  switch (command.type) {
    case 'PlaceOrder':
      return placeRow(command, atMs)
    case 'PlaceMarketOrder':
      return marketRow(command, atMs)
    case 'CancelOrder':
      return cancelRow(command, atMs)
    case 'EditOrder':
      return editRow(command, atMs)
    case 'OracleTick':
      return [ORACLE_TICK, atMs, command.market, command.price, command.external, command.jump]
    case 'Tick':
      return [TICK, atMs]
    default:
      return null
  }
}

function stampedOf(row: Row): Stamped {
  return { atMs: row[1] as number, entry: { kind: 'command', command: commandOf(row), by: null } }
}

function commandOf(row: Row): Command {
  switch (row[0]) {
    case PLACE_ORDER:
      return placeOf(row)
    case PLACE_MARKET_ORDER:
      return marketOf(row)
    case CANCEL_ORDER:
      return cancelOf(row)
    case EDIT_ORDER:
      return editOf(row)
    case ORACLE_TICK:
      return tickOf(row)
    case TICK:
      return { type: 'Tick' }
    default:
      throw new EntryNotExact(`a row of kind ${row[0]}: written by a newer program?`)
  }
}

function proofRow(proof: Proof | null): Row | null {
  if (proof === null) return null
  return [proof.textHash, proof.receivedAtMs, proof.expiresAtMs, proof.agent, proof.ip]
}

function proofOf(row: unknown): Proof | null {
  if (row === null) return null
  const fields = row as Row
  return {
    textHash: fields[0] as Proof['textHash'],
    receivedAtMs: fields[1] as Proof['receivedAtMs'],
    expiresAtMs: fields[2] as Proof['expiresAtMs'],
    agent: fields[3] as Proof['agent'],
    ip: fields[4] as Proof['ip'],
  }
}

function placeRow(command: PlaceOrder, atMs: number): Row {
  const { account, market, side, price, size, tif, reduceOnly, clientOrderId } = command
  const { takeProfit, stopLoss } = command
  const proof = proofRow(command.proof)
  // biome-ignore format: one row, one line.
  return [PLACE_ORDER, atMs, account, proof, market, side, price, size, tif, reduceOnly,
    clientOrderId, takeProfit, stopLoss]
}

function placeOf(row: Row): PlaceOrder {
  return {
    type: 'PlaceOrder',
    account: row[2] as PlaceOrder['account'],
    proof: proofOf(row[3]),
    market: row[4] as PlaceOrder['market'],
    side: row[5] as PlaceOrder['side'],
    price: row[6] as PlaceOrder['price'],
    size: row[7] as PlaceOrder['size'],
    tif: row[8] as PlaceOrder['tif'],
    reduceOnly: row[9] as PlaceOrder['reduceOnly'],
    clientOrderId: row[10] as PlaceOrder['clientOrderId'],
    takeProfit: row[11] as PlaceOrder['takeProfit'],
    stopLoss: row[12] as PlaceOrder['stopLoss'],
  }
}

function marketRow(command: PlaceMarketOrder, atMs: number): Row {
  const { account, market, side, size, slippagePpm, reduceOnly, clientOrderId } = command
  const { takeProfit, stopLoss } = command
  const proof = proofRow(command.proof)
  const head = [PLACE_MARKET_ORDER, atMs, account, proof, market, side, size, slippagePpm]
  return [...head, reduceOnly, clientOrderId, takeProfit, stopLoss]
}

function marketOf(row: Row): PlaceMarketOrder {
  return {
    type: 'PlaceMarketOrder',
    account: row[2] as PlaceMarketOrder['account'],
    proof: proofOf(row[3]),
    market: row[4] as PlaceMarketOrder['market'],
    side: row[5] as PlaceMarketOrder['side'],
    size: row[6] as PlaceMarketOrder['size'],
    slippagePpm: row[7] as PlaceMarketOrder['slippagePpm'],
    reduceOnly: row[8] as PlaceMarketOrder['reduceOnly'],
    clientOrderId: row[9] as PlaceMarketOrder['clientOrderId'],
    takeProfit: row[10] as PlaceMarketOrder['takeProfit'],
    stopLoss: row[11] as PlaceMarketOrder['stopLoss'],
  }
}

function cancelRow(command: CancelOrder, atMs: number): Row {
  const { account, market, order, clientOrderId } = command
  return [CANCEL_ORDER, atMs, account, proofRow(command.proof), market, order, clientOrderId]
}

function cancelOf(row: Row): CancelOrder {
  return {
    type: 'CancelOrder',
    account: row[2] as CancelOrder['account'],
    proof: proofOf(row[3]),
    market: row[4] as CancelOrder['market'],
    order: row[5] as CancelOrder['order'],
    clientOrderId: row[6] as CancelOrder['clientOrderId'],
  }
}

function editRow(command: EditOrder, atMs: number): Row {
  const { account, market, order, clientOrderId, price, size } = command
  const head = [EDIT_ORDER, atMs, account, proofRow(command.proof), market, order, clientOrderId]
  return [...head, price, size]
}

function editOf(row: Row): EditOrder {
  return {
    type: 'EditOrder',
    account: row[2] as EditOrder['account'],
    proof: proofOf(row[3]),
    market: row[4] as EditOrder['market'],
    order: row[5] as EditOrder['order'],
    clientOrderId: row[6] as EditOrder['clientOrderId'],
    price: row[7] as EditOrder['price'],
    size: row[8] as EditOrder['size'],
  }
}

function tickOf(row: Row): CommandOf<'OracleTick'> {
  return {
    type: 'OracleTick',
    market: row[2] as CommandOf<'OracleTick'>['market'],
    price: row[3] as CommandOf<'OracleTick'>['price'],
    external: row[4] as CommandOf<'OracleTick'>['external'],
    jump: row[5] as CommandOf<'OracleTick'>['jump'],
  }
}
