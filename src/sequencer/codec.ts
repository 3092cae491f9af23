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
} from '../core/index.ts'
import { placesOf } from '../units/places.ts'
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

// Where the fields stand in the rows that are written below.
const ofAll = placesOf(['kind', 'atMs', 'account', 'proof', 'market'])
const ofProof = placesOf(['textHash', 'receivedAtMs', 'expiresAtMs', 'agent', 'ip'])
const first = 1 + ofAll.market
const ofPlace = placesOf(
  ['side', 'price', 'size', 'tif', 'reduceOnly', 'clientOrderId', 'takeProfit', 'stopLoss'],
  first,
)
const ofMarket = placesOf(
  ['side', 'size', 'slippagePpm', 'reduceOnly', 'clientOrderId', 'takeProfit', 'stopLoss'],
  first,
)
const ofEdit = placesOf(['order', 'clientOrderId', 'price', 'size'], first)
const ofTick = placesOf(['market', 'price', 'external', 'jump'], ofAll.account)

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
  return {
    atMs: row[ofAll.atMs] as number,
    entry: { kind: 'command', command: commandOf(row), by: null },
  }
}

function commandOf(row: Row): Command {
  switch (row[ofAll.kind]) {
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
      throw new EntryNotExact(`a row of kind ${row[ofAll.kind]}: written by a newer program?`)
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
    textHash: fields[ofProof.textHash] as Proof['textHash'],
    receivedAtMs: fields[ofProof.receivedAtMs] as Proof['receivedAtMs'],
    expiresAtMs: fields[ofProof.expiresAtMs] as Proof['expiresAtMs'],
    agent: fields[ofProof.agent] as Proof['agent'],
    ip: fields[ofProof.ip] as Proof['ip'],
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
    account: row[ofAll.account] as PlaceOrder['account'],
    proof: proofOf(row[ofAll.proof]),
    market: row[ofAll.market] as PlaceOrder['market'],
    side: row[ofPlace.side] as PlaceOrder['side'],
    price: row[ofPlace.price] as PlaceOrder['price'],
    size: row[ofPlace.size] as PlaceOrder['size'],
    tif: row[ofPlace.tif] as PlaceOrder['tif'],
    reduceOnly: row[ofPlace.reduceOnly] as PlaceOrder['reduceOnly'],
    clientOrderId: row[ofPlace.clientOrderId] as PlaceOrder['clientOrderId'],
    takeProfit: row[ofPlace.takeProfit] as PlaceOrder['takeProfit'],
    stopLoss: row[ofPlace.stopLoss] as PlaceOrder['stopLoss'],
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
    account: row[ofAll.account] as PlaceMarketOrder['account'],
    proof: proofOf(row[ofAll.proof]),
    market: row[ofAll.market] as PlaceMarketOrder['market'],
    side: row[ofMarket.side] as PlaceMarketOrder['side'],
    size: row[ofMarket.size] as PlaceMarketOrder['size'],
    slippagePpm: row[ofMarket.slippagePpm] as PlaceMarketOrder['slippagePpm'],
    reduceOnly: row[ofMarket.reduceOnly] as PlaceMarketOrder['reduceOnly'],
    clientOrderId: row[ofMarket.clientOrderId] as PlaceMarketOrder['clientOrderId'],
    takeProfit: row[ofMarket.takeProfit] as PlaceMarketOrder['takeProfit'],
    stopLoss: row[ofMarket.stopLoss] as PlaceMarketOrder['stopLoss'],
  }
}

function cancelRow(command: CancelOrder, atMs: number): Row {
  const { account, market, order, clientOrderId } = command
  return [CANCEL_ORDER, atMs, account, proofRow(command.proof), market, order, clientOrderId]
}

function cancelOf(row: Row): CancelOrder {
  return {
    type: 'CancelOrder',
    account: row[ofAll.account] as CancelOrder['account'],
    proof: proofOf(row[ofAll.proof]),
    market: row[ofAll.market] as CancelOrder['market'],
    order: row[ofEdit.order] as CancelOrder['order'],
    clientOrderId: row[ofEdit.clientOrderId] as CancelOrder['clientOrderId'],
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
    account: row[ofAll.account] as EditOrder['account'],
    proof: proofOf(row[ofAll.proof]),
    market: row[ofAll.market] as EditOrder['market'],
    order: row[ofEdit.order] as EditOrder['order'],
    clientOrderId: row[ofEdit.clientOrderId] as EditOrder['clientOrderId'],
    price: row[ofEdit.price] as EditOrder['price'],
    size: row[ofEdit.size] as EditOrder['size'],
  }
}

function tickOf(row: Row): CommandOf<'OracleTick'> {
  return {
    type: 'OracleTick',
    market: row[ofTick.market] as CommandOf<'OracleTick'>['market'],
    price: row[ofTick.price] as CommandOf<'OracleTick'>['price'],
    external: row[ofTick.external] as CommandOf<'OracleTick'>['external'],
    jump: row[ofTick.jump] as CommandOf<'OracleTick'>['jump'],
  }
}
